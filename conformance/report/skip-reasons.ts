import type { Result } from '../runner/result.js';

/** The skipped and not reached cases, counted by reason: `Skip needs reopen, which is not declared: 2 cases`. */
export function skipReasons(results: readonly Result[]): string[] {
  const counts = new Map<string, number>();
  for (const { status, reason } of results) {
    if (reason === undefined) continue;
    const line = `${status} ${reason}`;
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return [...counts].map(([line, number]) => `${line}: ${number} ${number === 1 ? 'case' : 'cases'}`);
}
