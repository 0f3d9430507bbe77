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
  /** What of the seam between a storage and a transport it concerns, if anything. */
  readonly seam?: Seam;
  run(harness: Harness): Promise<void>;
}

/**
 * What depends on a storage and a transport together, although the API stands between them, so that a run over every storage and
 * over every transport does not prove it of each pair:
 * - `operations`: each operation once, so that nothing is missing in between
 * - `bodies`: bodies arrive while the storage is asked; what is refused must not reach it
 * - `texts`: bytes of the wire become texts of the database and come back
 * - `pages`: totals of the storage become links and lengths of the response
 * - `concurrency`: requests of several connections meet in several sessions of the storage
 * - `events`: what was committed for a request is delivered after it
 * - `faults`: a storage that fails becomes a status, headers and a body
 */
export type Seam = 'operations' | 'bodies' | 'texts' | 'pages' | 'concurrency' | 'events' | 'faults';

/** The cases as those that concern a seam. */
export const atSeam = <H>(seam: Seam, cases: readonly Case<H>[]): Case<H>[] => cases.map((one) => ({ ...one, seam }));
