import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BenchmarkContext } from './benchmark-context.js';
import { sizes } from './data/size.js';
import { startGenerator } from './load/generator.js';
import { helpText, type Options, readOptions } from './options.js';
import { installPackages } from './packages.js';
import { partNames, runParts } from './parts/index.js';
import { createProgress } from './progress.js';
import { compareResults } from './report/compare.js';
import { writePages } from './report/page.js';
import type { Result } from './report/result.js';
import { summary } from './report/summary.js';

const results = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'benchmarks', 'results');
// Servers are ended when this process exits, which a signal by itself would not let them know.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

const options = readOptions(process.argv.slice(2));

if (options.help) process.stdout.write(helpText.replace('PARTS', partNames.join(', ')));
else if (options.page) publishResult(options);
else if (options.result !== undefined) printResult(readResult(options.result), readBaseline(options));
else await run(options);

async function run({ quick, only, longer, out, compare }: Options): Promise<void> {
  const progress = createProgress(process.stderr);
  installPackages(progress.log);
  // Read before the run may write it anew.
  const baseline = readBaseline({ compare });
  const bench: BenchmarkContext = {
    size: quick ? sizes.quick : sizes.full,
    rounds: 3,
    turnMs: (quick ? 300 : 900) * longer,
    connections: 32,
    progress,
    generator: await startGenerator(),
    directory: mkdtempSync(join(tmpdir(), 'millrace-bench-')),
  };
  process.once('exit', () => rmSync(bench.directory, { recursive: true, force: true }));
  const result = await runParts(bench, only).finally(() => bench.generator.close());
  printResult(result, baseline);
  if (result.failed.length > 0) process.exitCode = 1;
  const name = `${only.length > 0 ? 'part' : bench.size.name}.json`;
  const file = out ?? join(results, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(result, null, 1)}\n`);
  progress.log(`Written to ${file}`);
}

/** Makes a result the one that the pages tell of; without one, writes the pages anew from the one that they told of before. */
function publishResult({ result }: Options): void {
  const published = join(results, 'published.json');
  if (result !== undefined) copyFileSync(result, published);
  writePages(readResult(published));
}

/** The result to compare with, if one was named. */
function readBaseline({ compare }: Pick<Options, 'compare'>): Result | undefined {
  return compare === undefined ? undefined : readResult(compare);
}

function printResult(result: Result, baseline: Result | undefined): void {
  process.stdout.write(summary(result));
  if (baseline !== undefined) process.stdout.write(compareResults(baseline, result));
}

function readResult(file: string): Result {
  if (!existsSync(file)) throw new Error(`There is no result at ${file}`);
  return JSON.parse(readFileSync(file, 'utf8'));
}
