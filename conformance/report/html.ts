import { count, isGood, type Report, type Result, statuses } from '../runner/result.js';
import { circumstances, duration, headline, warnings, words } from './headline.js';
import { markup } from './markup.js';
import { particulars } from './particulars.js';
import { reasons } from './reasons.js';
import { style } from './style.js';

/** The report as one page that needs nothing else: no script, no other file. What is wrong comes first. */
export function htmlReport(report: Report): string {
  const { subject, results } = report;
  const wrong = results.filter(({ fault }) => fault !== undefined);
  const left = reasons(results);
  const told = warnings(report);
  const verdict = isGood(report) ? (told.length === 0 ? 'Pass' : 'Skip') : 'Fail';
  const levels = [...new Set(results.map(({ level }) => level))];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${markup(`${isGood(report) ? 'Passed' : 'Not passed'}: ${subject}`)}</title>
<style>${style}</style>
<main>
<h1 class="${verdict}">${markup(headline(report))}</h1>
<p>${markup(circumstances(report))}</p>
${told.map((warning) => `<p class="warning"><strong>Warning.</strong> ${markup(warning)}</p>`).join('\n')}
${wrong.length === 0 ? '' : `<h2>What is wrong</h2>\n${wrong.map((result) => failure(report, result)).join('\n')}`}
${left.length === 0 ? '' : `<h2>What was not run</h2>\n<ul>${left.map((reason) => `<li>${markup(reason)}`).join('\n')}</ul>`}
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
  const told = particulars(report, result).map(
    ([label, text]) => `<dt>${markup(label)}</dt><dd><pre>${markup(text)}</pre></dd>`,
  );
  const { id, status, cites } = result;
  return `<section id="${markup(id)}"><h3><span class="${status}">${status}</span> ${markup(id)}</h3>
<p>${markup(cites)}</p>
<dl>${told.join('\n')}</dl></section>`;
}

function table(level: string, results: readonly Result[]): string {
  const counts = statuses
    .map((status) => [count(results, status), words[status]] as const)
    .filter(([number]) => number > 0)
    .map(([number, word]) => `${number} ${word}`);
  return `<details${results.some(({ fault }) => fault) ? ' open' : ''}><summary>${markup(level)}: ${counts.join(', ')}</summary>
<table><thead><tr><th>Case<th>Outcome<th>Took<th>Clauses</thead><tbody>
${results.map(line).join('\n')}
</tbody></table></details>`;
}

function line({ id, status, took, reason, cites, fault }: Result): string {
  const name = fault === undefined ? markup(id) : `<a href="#${encodeURIComponent(id)}">${markup(id)}</a>`;
  const outcome = `<span class="${status}">${status}</span>${reason === undefined ? '' : ` ${markup(reason)}`}`;
  return `<tr><td>${name}<td>${outcome}<td>${duration(took)}<td>${markup(cites)}`;
}
