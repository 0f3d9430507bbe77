import { type Bite, isRight, type Subject } from './bite.js';

/** One of them with what became of it in each round. */
export interface Row {
  readonly subject: Subject;
  readonly bites: readonly Bite[];
}

/** A table for a terminal: what it is, which cases noticed it, and after how much. */
export function table(rows: readonly Row[]): string {
  const lines = rows.map(({ subject, bites }) => [
    subject.kind,
    subject.name,
    noticedBy(subject, bites),
    range(bites.map(({ cases }) => cases)),
    range(bites.map(({ runs }) => runs)),
  ]);
  return columns([
    ['of', subject(rows), 'caught by', 'cases', 'runs'],
    ['', '', '', 'until then', 'of the last one'],
    ...lines,
  ]);
}

const subject = (rows: readonly Row[]): string => (rows.every((row) => row.subject.broken) ? 'fault' : 'good adapter');

/** Each case once, with how many of the rounds it was in, if it was not in all of them. */
function noticedBy(subject: Subject, bites: readonly Bite[]): string {
  const counts = new Map<string, number>();
  for (const one of bites) {
    const said = one.caught?.id ?? (one.errors[0] ? `${one.errors[0].id} (could not be tried)` : '');
    const what = said === '' ? (subject.broken ? 'NOT CAUGHT' : 'nothing, as it should be') : said;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  const all = [...counts].map(([what, count]) => (count === bites.length ? what : `${what} ×${count}`)).join(', ');
  return bites.every((one) => isRight(subject, one)) ? all : `!! ${all}`;
}

function range(numbers: readonly number[]): string {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  return least === most ? `${least}` : `${least} to ${most}`;
}

function columns(lines: readonly (readonly string[])[]): string {
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
