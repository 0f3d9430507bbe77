import type { Report, Result } from '../runner/result.js';
import { failureDetails } from './failure-details.js';
import { headline, runParameters, warnings } from './headline.js';
import { skipReasons } from './skip-reasons.js';

/** The report for a terminal: the counts, then each failure in full, then the cases that were not run, with reasons. */
export function terminalReport(report: Report): string {
  const { results } = report;
  const failures = results.filter(({ fault }) => fault !== undefined);
  const notRun = skipReasons(results);
  return [
    headline(report),
    runParameters(report),
    ...warnings(report).map((warning) => `Warning: ${warning}`),
    ...failures.flatMap((result) => ['', ...failure(report, result)]),
    ...(notRun.length === 0 ? [] : ['', ...notRun]),
    '',
  ].join('\n');
}

function failure(report: Report, result: Result): string[] {
  const { status, id, cites } = result;
  return [
    `${status} ${id} (${cites})`,
    ...failureDetails(report, result).flatMap(([label, text]) =>
      label === 'message'
        ? indentLines(text)
        : [`  ${label}:${text.includes('\n') ? '' : ` ${escapeControlCharacters(text)}`}`, ...indentedBlock(text)],
    ),
  ];
}

const indentedBlock = (text: string): string[] =>
  text.includes('\n') ? indentLines(text).map((line) => `  ${line}`) : [];
const indentLines = (text: string): string[] =>
  text.split('\n').map((line) => `  ${escapeControlCharacters(line)}`.trimEnd());

/** Escapes control characters, which a terminal would execute. Generated texts contain them. */
const escapeControlCharacters = (text: string): string =>
  text.replaceAll(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
