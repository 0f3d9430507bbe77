/** The outcome of a case. */
export type Status =
  /** The case passed. */
  | 'Pass'
  /** The tested adapter is at fault. */
  | 'Fail'
  /** The harness failed, so the case says nothing about the tested adapter. */
  | 'Error'
  /** Not run: the case needs a capability that is not declared. */
  | 'Skip'
  /** Not run: the run was ended first. */
  | 'NotReached';

/** All statuses in the order of reports: the most urgent first. */
export const statuses: readonly Status[] = ['Fail', 'Error', 'Pass', 'Skip', 'NotReached'];

/** What failed, and how to reproduce it. */
export interface Failure {
  readonly message: string;
  /** The expected and actual value of a failed assertion, as text. */
  readonly wanted?: string;
  readonly got?: string;
  /** The smallest failing values, as fast-check prints them. */
  readonly counterexample?: string;
  /** Runs until the property failed, and shrinking steps after that. */
  readonly tried?: { readonly runs: number; readonly shrinks: number };
  /** `seed|path` or `seed|path|property`. Only `seed` if the case has no property. */
  readonly replay: string;
  readonly stack?: string;
}

export interface Result {
  /** `storage`, `service`, `transport`, or the name of a custom level. */
  readonly level: string;
  readonly id: string;
  readonly cites: string;
  readonly status: Status;
  /** Milliseconds. */
  readonly took: number;
  /** Why it was skipped or not reached. */
  readonly reason?: string;
  /** With Fail and Error. */
  readonly fault?: Failure;
}

/** The outcome of a run. Plain data that JSON preserves. */
export interface Report {
  /** What was tested, as the caller of the run named it. */
  readonly subject: string;
  /** The command that started the run. Reports append the options that select a case and replay it. */
  readonly command?: string;
  readonly seed: number;
  /** Factor on the number of random runs. */
  readonly runs: number;
  /** Milliseconds. */
  readonly took: number;
  readonly results: readonly Result[];
}

/** The number of results with a status. */
export const count = (results: readonly Result[], status: Status): number =>
  results.filter((result) => result.status === status).length;

/** Whether every case passed or was skipped, and at least one passed. */
export const isGood = ({ results }: Report): boolean =>
  results.every(({ status }) => status === 'Pass' || status === 'Skip') &&
  results.some(({ status }) => status === 'Pass');

/** The command line that reproduces a failure. */
export const replayLine = ({ command }: Report, { level, id, fault }: Result): string =>
  `${command === undefined ? '' : `${command} --level ${level} `}--case ${id} --replay '${fault?.replay ?? ''}'`;
