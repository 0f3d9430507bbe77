import { count, isGood, type Report, type Result, statuses } from '../runner/result.js';
import { escapeMarkup } from './escape-markup.js';
import { failureDetails } from './failure-details.js';
import { formatDuration, headline, runParameters, statusLabels, warnings } from './headline.js';
import { skipReasons } from './skip-reasons.js';
import { stylesheet } from './style.js';

/** The report as one HTML page without scripts or other files. Failures come first. */
export function htmlReport(report: Report): string {
  const { subject, results } = report;
  const failures = results.filter(({ fault }) => fault !== undefined);
  const notRun = skipReasons(results);
  const warningTexts = warnings(report);
  const verdict = isGood(report) ? (warningTexts.length === 0 ? 'Pass' : 'Skip') : 'Fail';
  const levels = [...new Set(results.map(({ level }) => level))];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeMarkup(`${isGood(report) ? 'Passed' : 'Not passed'}: ${subject}`)}</title>
<style>${stylesheet}</style>
<main>
<h1 class="${verdict}">${escapeMarkup(headline(report))}</h1>
<p>${escapeMarkup(runParameters(report))}</p>
${warningTexts.map((warning) => `<p class="warning"><strong>Warning.</strong> ${escapeMarkup(warning)}</p>`).join('\n')}
${failures.length === 0 ? '' : `<h2>Failures</h2>\n${failures.map((result) => failure(report, result)).join('\n')}`}
${notRun.length === 0 ? '' : `<h2>Cases not run</h2>\n<ul>${notRun.map((reason) => `<li>${escapeMarkup(reason)}`).join('\n')}</ul>`}
<h2>All cases</h2>
${levels
  .map((level) =>
    table(
      level,
      results.filter((result) => result.level === level),
    ),
  )
  .join('\n')}
</main>
</html>
`;
}

function failure(report: Report, result: Result): string {
  const details = failureDetails(report, result).map(
    ([label, text]) => `<dt>${escapeMarkup(label)}</dt><dd><pre>${escapeMarkup(text)}</pre></dd>`,
  );
  const { id, status, cites } = result;
  return `<section id="${escapeMarkup(id)}"><h3><span class="${status}">${status}</span> ${escapeMarkup(id)}</h3>
<p>${escapeMarkup(cites)}</p>
<dl>${details.join('\n')}</dl></section>`;
}

function table(level: string, results: readonly Result[]): string {
  const counts = statuses
    .map((status) => [count(results, status), statusLabels[status]] as const)
    .filter(([number]) => number > 0)
    .map(([number, word]) => `${number} ${word}`);
  return `<details${results.some(({ fault }) => fault) ? ' open' : ''}><summary>${escapeMarkup(level)}: ${counts.join(', ')}</summary>
<table><thead><tr><th>Case<th>Outcome<th>Took<th>Clauses</thead><tbody>
${results.map(line).join('\n')}
</tbody></table></details>`;
}

function line({ id, status, took, reason, cites, fault }: Result): string {
  const name = fault === undefined ? escapeMarkup(id) : `<a href="#${encodeURIComponent(id)}">${escapeMarkup(id)}</a>`;
  const outcome = `<span class="${status}">${status}</span>${reason === undefined ? '' : ` ${escapeMarkup(reason)}`}`;
  return `<tr><td>${name}<td>${outcome}<td>${formatDuration(took)}<td>${escapeMarkup(cites)}`;
}
