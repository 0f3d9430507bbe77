/** How a case went. */
export type Status =
  /** All that the case asks holds. */
  | 'Pass'
  /** What is under test is wrong. */
  | 'Fail'
  /** What is needed to try it broke, so nothing is known of what is under test. */
  | 'Error'
  /** Not run: it needs what is not declared. */
  | 'Skip'
  /** Not run: the run was ended before. */
  | 'NotReached';

/** The order in which people want to see them. */
export const statuses: readonly Status[] = ['Fail', 'Error', 'Pass', 'Skip', 'NotReached'];

/** What is wrong, and how to see it again. */
export interface Failure {
  readonly message: string;
  /** What an assertion wanted and what it got, as text. */
  readonly wanted?: string;
  readonly got?: string;
  /** The smallest values found for which it fails, as fast-check prints them. */
  readonly counterexample?: string;
  /** Runs until it failed, and steps in which it was made smaller. */
  readonly tried?: { readonly runs: number; readonly shrinks: number };
  /** `seed|path`, or `seed|path|property`; only `seed` where nothing was generated. */
  readonly replay: string;
  readonly stack?: string;
}

export interface Result {
  /** `storage`, `service`, `transport`, or the name of a level of one's own. */
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

/** What came out of a run. Plain data: it goes through JSON unchanged. */
export interface Report {
  /** What was tested, in the words of whoever started the run. */
  readonly subject: string;
  /** The command that runs the suite so; what chooses a case and replays it is put behind it. */
  readonly command?: string;
  readonly seed: number;
  /** Factor on the number of random runs. */
  readonly runs: number;
  /** Milliseconds. */
  readonly took: number;
  readonly results: readonly Result[];
}

/** How many cases went so. */
export const count = (results: readonly Result[], status: Status): number =>
  results.filter((result) => result.status === status).length;

/** Whether nothing was found wrong, and nothing was left out that should have run. */
export const isGood = ({ results }: Report): boolean =>
  results.every(({ status }) => status === 'Pass' || status === 'Skip') &&
  results.some(({ status }) => status === 'Pass');

/** The line that brings a failure about again. */
export const replayLine = ({ command }: Report, { level, id, fault }: Result): string =>
  `${command === undefined ? '' : `${command} --level ${level} `}--case ${id} --replay '${fault?.replay ?? ''}'`;
