/**
 * One test of the suite, as a value: no test runner is needed to name, choose or run it. `Harness` is what it runs against.
 * A case that fails throws; the message says what was wanted and what came.
 */
export interface Case<Harness> {
  /** `builds.cancel-finished`, unique in the suite. */
  readonly id: string;
  /** The clauses that it checks: `spec 3.1`, `decisions 7`. */
  readonly cites: string;
  /** Claims that the thing under test has to make for the case to say anything. */
  readonly needs?: readonly string[];
  run(harness: Harness): Promise<void>;
}
