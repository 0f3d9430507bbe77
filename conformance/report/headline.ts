import { count, type Report, type Status } from '../runner/result.js';

/** The words of the reports for a status. */
export const statusLabels: Readonly<Record<Status, string>> = {
  Fail: 'failed',
  Error: 'in error',
  Pass: 'passed',
  Skip: 'skipped',
  NotReached: 'not reached',
};

/** How it went in one line. The skipped share is always told: a run that skips much says little, however much of it passes. */
export function headline({ results }: Report): string {
  const parts = (['Pass', 'Fail', 'Error', 'NotReached'] as const)
    .map((status) => [count(results, status), statusLabels[status]] as const)
    .filter(([number, word]) => number > 0 || word === statusLabels.Pass)
    .map(([number, word]) => `${number} ${word}`);
  const skipped = count(results, 'Skip');
  const cases = results.length === 1 ? '1 case' : `${results.length} cases`;
  return `${cases}: ${parts.join(', ')}, ${skipped} skipped (${percentage(skipped, results.length)})`;
}

/** What a reader must know before the rest; nothing if there is nothing of the kind. */
export function warnings({ results }: Report): string[] {
  const skipped = count(results, 'Skip');
  if (skipped * 2 <= results.length) return [];
  const of = `${skipped} of ${results.length} cases`;
  return [`Most cases were skipped (${of}): what passed says little about what is tested as a whole`];
}

const percentage = (part: number, whole: number): string => `${whole === 0 ? 0 : Math.ceil((100 * part) / whole)}%`;

/** `850 ms`, `12.3 s` */
export const formatDuration = (milliseconds: number): string =>
  milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`;

/** What was run, in one line. */
export const runParameters = ({ subject, seed, runs, took }: Report): string =>
  `${subject}, seed ${seed}${runs === 1 ? '' : `, ${runs} times the usual runs`}, ${formatDuration(took)}`;
