import { count, type Report, type Status } from '../runner/result.js';

/** The label of each status in reports. */
export const statusLabels: Readonly<Record<Status, string>> = {
  Fail: 'failed',
  Error: 'in error',
  Pass: 'passed',
  Skip: 'skipped',
  NotReached: 'not reached',
};

/** The counts in one line. The share of skipped cases is always shown, because a run that skips most cases proves little. */
export function headline({ results }: Report): string {
  const parts = (['Pass', 'Fail', 'Error', 'NotReached'] as const)
    .map((status) => [count(results, status), statusLabels[status]] as const)
    .filter(([number, word]) => number > 0 || word === statusLabels.Pass)
    .map(([number, word]) => `${number} ${word}`);
  const skipped = count(results, 'Skip');
  const cases = results.length === 1 ? '1 case' : `${results.length} cases`;
  return `${cases}: ${parts.join(', ')}, ${skipped} skipped (${percentage(skipped, results.length)})`;
}

/** Warnings that a report shows before its details. */
export function warnings({ results }: Report): string[] {
  const skipped = count(results, 'Skip');
  if (skipped * 2 <= results.length) return [];
  return [`Most cases were skipped (${skipped} of ${results.length} cases): the cases that passed prove little`];
}

const percentage = (part: number, whole: number): string => `${whole === 0 ? 0 : Math.ceil((100 * part) / whole)}%`;

/** `850 ms`, `12.3 s` */
export const formatDuration = (milliseconds: number): string =>
  milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;

/** The parameters of the run in one line. */
export const runParameters = ({ subject, seed, runs, took }: Report): string =>
  `${subject}, seed ${seed}${runs === 1 ? '' : `, ${runs} times the default runs`}, ${formatDuration(took)}`;
