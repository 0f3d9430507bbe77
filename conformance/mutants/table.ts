import { isExpected, type MutationCheckResult, type Subject } from './mutation-check.js';

/** A subject with its outcome in each round. */
export interface Row {
  readonly subject: Subject;
  readonly checks: readonly MutationCheckResult[];
}

/** A table for the terminal: each subject, the cases that caught it, and how many cases and runs that took. */
export function table(rows: readonly Row[]): string {
  const lines = rows.map(({ subject, checks }) => [
    subject.kind,
    subject.name,
    caughtBy(subject, checks),
    range(checks.map(({ cases }) => cases)),
    range(checks.map(({ runs }) => runs)),
  ]);
  return alignColumns([
    ['port', subjectHeading(rows), 'caught by', 'cases', 'runs'],
    ['', '', '', 'until caught', 'of the last case'],
    ...lines,
  ]);
}

const subjectHeading = (rows: readonly Row[]): string =>
  rows.every((row) => row.subject.isMutant) ? 'fault' : 'correct adapter';

/** Each case that caught the subject, with the number of rounds if it did not catch it in all of them. */
function caughtBy(subject: Subject, checks: readonly MutationCheckResult[]): string {
  const counts = new Map<string, number>();
  for (const one of checks) {
    const caseId = one.caught?.id ?? (one.errors[0] ? `${one.errors[0].id} (error)` : '');
    const label = caseId === '' ? (subject.isMutant ? 'NOT CAUGHT' : 'nothing, as expected') : caseId;
    counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  const all = [...counts].map(([label, count]) => (count === checks.length ? label : `${label} ×${count}`)).join(', ');
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
