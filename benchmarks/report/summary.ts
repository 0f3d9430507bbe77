import { blocksOf } from './blocks.js';
import type { Result } from './result.js';

const titles: Readonly<Record<string, string>> = {
  postgres: 'PostgreSQL: requests per second (ratio to the SQL tuned by hand)',
  'postgres-cost': 'PostgreSQL: microseconds of processor time for a request, server + database',
  sqlite: 'SQLite: requests per second (ratio to the SQL tuned by hand)',
  'sqlite-cost': 'SQLite: microseconds of processor time for a request',
  cold: 'Cold: nothing has been rendered yet',
  transports: 'Transports: requests per second (ratio to node:http)',
  'in-process': 'In process, one thread',
  start: 'Start',
  accept: 'Accepting a job, 64 agents at once',
  fixtures: 'Loading a fixture',
  conformance: 'The conformance suite',
  memory: 'Memory with the rendering cache full',
  'fake-servers': 'Fakes: requests per second (ratio to json-server)',
  growth: 'Growth of one pipeline',
  plans: 'Plans at that size',
  scale: 'Several processes',
  sizes: 'Room on the disk',
  ablation: 'What each mechanism is worth: microseconds of processor time per request',
  goals: 'Goals',
  machine: 'The run',
};

/** What a run prints at its end. */
export function summary(result: Result): string {
  const blocks = blocksOf(result);
  return Object.entries(titles)
    .flatMap(([name, title]) => (blocks[name] ? [`\n${title}\n\n${alignTables(blocks[name])}\n`] : []))
    .join('');
}

/** Markdown tables with their columns in line, for terminals. */
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
