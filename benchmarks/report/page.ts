import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { blocksOf } from './blocks.js';
import { plotsOf } from './plots.js';
import type { Result } from './result.js';

const docs = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'docs');

/** The pages with figures. Every figure stands between two markers, and is written from a result. */
export const pages = ['performance.md', 'scale.md'] as const;

/** Writes the figures of a result into the pages, and its plots beside them. */
export function writePages(result: Result): void {
  for (const name of pages) writeFileSync(join(docs, name), fillBlocks(readPage(name), blocksOf(result)));
  mkdirSync(join(docs, 'performance'), { recursive: true });
  for (const [name, svg] of Object.entries(plotsOf(result)))
    writeFileSync(join(docs, 'performance', `${name}.svg`), svg);
}

/**
 * A published result with a newer one in its place. The parts of one run belong together, so they are replaced together; the
 * ablation comes from a run of its own, and stays if the newer result has none.
 */
export function mergeResults(published: Result, newer: Result): Result {
  const { ablation = published.ablation } = newer;
  const parts = Object.keys(newer.parts).length > 0 ? newer : published;
  return { ...parts, ...(ablation && { ablation }) };
}

export const readPage = (name: (typeof pages)[number]): string => readFileSync(join(docs, name), 'utf8');

/** The page with everything between `<!-- bench:NAME -->` and `<!-- /bench -->` replaced by the block of that name. */
export function fillBlocks(page: string, blocks: Readonly<Record<string, string>>): string {
  return page.replace(
    /<!-- bench:([\w-]+) -->\n[\s\S]*?<!-- \/bench -->/g,
    (_, name: string) => `<!-- bench:${name} -->\n${blocks[name] ?? notMeasured}\n<!-- /bench -->`,
  );
}

export const notMeasured = 'Not measured in this run.';
