import test from 'ava';
import { ablationTables } from './ablation-tables.js';
import type { AblationMeasurement, Machine } from './result.js';

const measured = (mechanism: string, load: string, on: number, off: readonly number[]): AblationMeasurement => ({
  mechanism,
  database: 'SQLite',
  load,
  on,
  off: off[1] ?? 0,
  ratios: off.map((cost) => cost / on),
});

test('ablation.one-row-for-each-load', (t) => {
  const text = ablationTables({
    machine: {} as Machine,
    size: 'tiny',
    lines: { 'lookup cache': 1_345 },
    measured: [
      measured('nothing (control)', 'create', 100, [98, 100, 103]),
      measured('lookup cache', 'one build', 100, [140, 150, 180]),
      measured('lookup cache', 'create', 1_000, [1_000, 1_100, 1_300]),
    ],
  });
  t.is(
    text,
    [
      '| SQLite | lines | load | with | without | ratio | rounds |',
      '| --- | --- | --- | --- | --- | --- | --- |',
      '| nothing (control) |  | create | 100 | 100 | 1.00 | 0.98 to 1.03 |',
      '| lookup cache | 1,345 | one build | 100 | 150 | 1.50 | 1.40 to 1.80 |',
      '|  |  | create | 1,000 | 1,100 | 1.10 | 1.00 to 1.30 |',
      '',
    ].join('\n'),
  );
});
