import { blocksOf } from './blocks.js';
import type { Result } from './result.js';

const titles: Readonly<Record<string, string>> = {
  postgres: 'PostgreSQL: requests per second (ratio to hand-tuned SQL)',
  'postgres-cost': 'PostgreSQL: microseconds of processor time per request, server + database',
  sqlite: 'SQLite: requests per second (ratio to hand-tuned SQL)',
  'sqlite-cost': 'SQLite: microseconds of processor time per request',
  cold: 'Cold: the render cache is too small for the requests',
  transports: 'Transports: requests per second (ratio to node:http)',
  'in-process': 'In process, one thread',
  start: 'Start',
  accept: 'Accepting a job, 64 agents at once',
  fixtures: 'Loading a fixture',
  conformance: 'The conformance suite',
  memory: 'Memory with an empty and a full render cache',
  'fake-servers': 'Fakes: requests per second (ratio to json-server)',
  growth: 'Growth of one pipeline',
  plans: 'Query plans of the growing pipeline',
  scale: 'Several processes',
  sizes: 'Bytes on disk',
  ablation: 'What each mechanism is worth: microseconds of processor time per request',
  goals: 'Goals',
  machine: 'The run',
};

/** The text that a run prints at its end. */
export function summary(result: Result): string {
  const blocks = blocksOf(result);
  return Object.entries(titles)
    .flatMap(([name, title]) => (blocks[name] ? [`\n${title}\n\n${alignTables(blocks[name])}\n`] : []))
    .join('');
}

/** Aligns the columns of Markdown tables, for terminals. */
function alignTables(text: string): string {
  const lines = text.split('\n').map((line) => (line.startsWith('|') ? line.slice(2, -2).split(' | ') : line));
  return lines
    .map((line, lineIndex) => {
      if (typeof line === 'string') return line;
      const widths = line.map((_, column) =>
        Math.max(...tableAround(lines, lineIndex).map((row) => row[column]?.length ?? 0)),
      );
      return line
        .map((cell, column) =>
          /^-+$/.test(cell)
            ? '─'.repeat(widths[column] ?? 0)
            : column === 0
              ? cell.padEnd(widths[0] ?? 0)
              : cell.padStart(widths[column] ?? 0),
        )
        .join('  ');
    })
    .join('\n');
}

function tableAround(lines: readonly (string | string[])[], lineIndex: number): string[][] {
  let [first, last] = [lineIndex, lineIndex];
  while (Array.isArray(lines[first - 1])) first -= 1;
  while (Array.isArray(lines[last + 1])) last += 1;
  return lines.slice(first, last + 1) as string[][];
}
