import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { blocksOf } from './blocks.js';
import { plotsOf } from './plots.js';
import type { Result } from './result.js';

const docs = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'docs');

/** The pages that hold figures. All of them stand between marks, and are written from a result. */
export const pages = ['performance.md', 'scale.md'] as const;

/** Writes the figures of a result into the pages, and its plots beside them. */
export function writePages(result: Result): void {
  for (const name of pages) writeFileSync(join(docs, name), fillBlocks(readPage(name), blocksOf(result)));
  mkdirSync(join(docs, 'performance'), { recursive: true });
  for (const [name, svg] of Object.entries(plotsOf(result)))
    writeFileSync(join(docs, 'performance', `${name}.svg`), svg);
}

export const readPage = (name: (typeof pages)[number]): string => readFileSync(join(docs, name), 'utf8');

/** The page with everything between `<!-- bench:NAME -->` and `<!-- /bench -->` replaced by the block of that name. */
export function fillBlocks(page: string, blocks: Readonly<Record<string, string>>): string {
  return page.replace(
    /<!-- bench:([\w-]+) -->\n[\s\S]*?<!-- \/bench -->/g,
    (_, name: string) => `<!-- bench:${name} -->\n${blocks[name] ?? 'Not measured in this run.'}\n<!-- /bench -->`,
  );
}
