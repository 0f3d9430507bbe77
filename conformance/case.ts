/**
 * One test of the suite as a value. It can be named, selected and run without a test runner. `Harness` gives the case access to
 * what it tests. A failing case throws; the message says what was expected and what was received.
 */
export interface Case<Harness> {
  /** Unique in the suite: `builds.cancel-finished`. */
  readonly id: string;
  /** The clauses that the case checks: `spec 3.1`, `decisions 7`. */
  readonly cites: string;
  /** Capabilities that the tested adapter must declare. Without them the case is skipped. */
  readonly needs?: readonly string[];
  run(harness: Harness): Promise<void>;
}
