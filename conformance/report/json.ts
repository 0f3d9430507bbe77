import { count, type Report, replayLine, statuses } from '../runner/result.js';
import { headline, warnings } from './headline.js';

/**
 * The report as JSON: `headline`, `warnings`, `subject`, `seed`, `counts` by status, and `results`. Each failure has the command
 * that replays it.
 */
export function jsonReport(report: Report): string {
  const counts = Object.fromEntries(statuses.map((status) => [status, count(report.results, status)]));
  const results = report.results.map((result) =>
    result.fault === undefined ? result : { ...result, replay: replayLine(report, result) },
  );
  const first = { headline: headline(report), warnings: warnings(report) };
  return `${JSON.stringify({ ...first, ...report, counts, results }, null, 2)}\n`;
}
