import type { Report, Result } from '../runner/result.js';
import { circumstances, headline, warnings } from './headline.js';
import { particulars } from './particulars.js';
import { reasons } from './reasons.js';

/** A report to be read on a terminal: how it went, then each failure with all there is to know, then what was not run and why. */
export function terminalReport(report: Report): string {
  const { results } = report;
  const wrong = results.filter(({ fault }) => fault !== undefined);
  const left = reasons(results);
  return [
    headline(report),
    circumstances(report),
    ...warnings(report).map((warning) => `Warning: ${warning}`),
    ...wrong.flatMap((result) => ['', ...failure(report, result)]),
    ...(left.length === 0 ? [] : ['', ...left]),
    '',
  ].join('\n');
}

function failure(report: Report, result: Result): string[] {
  const { status, id, cites } = result;
  return [
    `${status} ${id} (${cites})`,
    ...particulars(report, result).flatMap(([label, text]) =>
      label === 'message'
        ? indented(text)
        : [`  ${label}:${text.includes('\n') ? '' : ` ${visible(text)}`}`, ...below(text)],
    ),
  ];
}

const below = (text: string): string[] => (text.includes('\n') ? indented(text).map((line) => `  ${line}`) : []);
const indented = (text: string): string[] => text.split('\n').map((line) => `  ${visible(line)}`.trimEnd());

/** What a terminal would carry out rather than show, as escapes: generated texts are hostile. */
const visible = (text: string): string =>
  text.replaceAll(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
