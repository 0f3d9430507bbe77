import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { blocksOf } from './blocks.js';
import { fillBlocks, mergeResults, notMeasured, pages, readPage } from './page.js';
import { plotsOf } from './plots.js';
import type { Result } from './result.js';

const root = new URL('../../../', import.meta.url);
const result = JSON.parse(readFileSync(new URL('benchmarks/results/published.json', root), 'utf8')) as Result;

for (const name of pages) {
  test(`page.${name}-shows-the-published-result`, (t) => {
    const page = readPage(name);
    t.is(page, fillBlocks(page, blocksOf(result)), 'Write it again: npm run bench -- --page');
    const missing = [...page.matchAll(/<!-- bench:([\w-]+) -->\n(.*)/g)].filter(([, , text]) => text === notMeasured);
    const unpublished = result.ablation === undefined ? ['ablation-machine', 'ablation'] : [];
    t.deepEqual(
      missing.map(([, block]) => block).filter((block) => !unpublished.includes(block ?? '')),
      [],
    );
  });
}

test('page.plots-show-the-published-result', (t) => {
  for (const [name, svg] of Object.entries(plotsOf(result))) {
    const file = new URL(`docs/performance/${name}.svg`, root);
    t.true(existsSync(fileURLToPath(file)), name);
    t.is(readFileSync(file, 'utf8'), svg, name);
    t.false(/NaN|undefined|Infinity/.test(svg), name);
  }
});

test('page.a-block-is-written-between-its-markers', (t) => {
  const page = 'a\n<!-- bench:x -->\nold\n<!-- /bench -->\nb\n<!-- bench:y -->\n<!-- /bench -->\n';
  const once = fillBlocks(page, { x: '$1 new', y: 'two' });
  t.is(once, 'a\n<!-- bench:x -->\n$1 new\n<!-- /bench -->\nb\n<!-- bench:y -->\ntwo\n<!-- /bench -->\n');
  t.is(fillBlocks(once, { x: '$1 new', y: 'two' }), once);
});

test('page.an-ablation-is-merged-into-the-published-result', (t) => {
  const ablation = { machine: result.machine, size: 'ablation', lines: {}, measured: [] };
  const onlyAblation: Result = {
    machine: { ...result.machine, commit: 'newer' },
    size: 'ablation',
    failed: [],
    parts: {},
    ablation,
  };
  const merged = mergeResults(result, onlyAblation);
  t.deepEqual(merged, { ...result, ablation });
  const { ablation: _, ...withoutAblation } = result;
  t.deepEqual(mergeResults(merged, withoutAblation), merged, 'a newer run of the parts keeps the ablation');
});
