import { isExpected, type MutationCheckResult, type Subject } from './mutation-check.js';

/** One of them with what became of it in each round. */
export interface Row {
  readonly subject: Subject;
  readonly checks: readonly MutationCheckResult[];
}

/** A table for a terminal: what it is, which cases noticed it, and after how much. */
export function table(rows: readonly Row[]): string {
  const lines = rows.map(({ subject, checks }) => [
    subject.kind,
    subject.name,
    caughtBy(subject, checks),
    range(checks.map(({ cases }) => cases)),
    range(checks.map(({ runs }) => runs)),
  ]);
  return alignColumns([
    ['of', subjectHeading(rows), 'caught by', 'cases', 'runs'],
    ['', '', '', 'until then', 'of the last one'],
    ...lines,
  ]);
}

const subjectHeading = (rows: readonly Row[]): string =>
  rows.every((row) => row.subject.isMutant) ? 'fault' : 'good adapter';

/** Each case once, with how many of the rounds it was in, if it was not in all of them. */
function caughtBy(subject: Subject, checks: readonly MutationCheckResult[]): string {
  const counts = new Map<string, number>();
  for (const one of checks) {
    const caseId = one.caught?.id ?? (one.errors[0] ? `${one.errors[0].id} (could not be tried)` : '');
    const what = caseId === '' ? (subject.isMutant ? 'NOT CAUGHT' : 'nothing, as it should be') : caseId;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  const all = [...counts].map(([what, count]) => (count === checks.length ? what : `${what} ×${count}`)).join(', ');
  return checks.every((one) => isExpected(subject, one)) ? all : `!! ${all}`;
}

function range(numbers: readonly number[]): string {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  return least === most ? `${least}` : `${least} to ${most}`;
}

function alignColumns(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
