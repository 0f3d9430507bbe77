import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runAblation } from './ablation/index.js';
import type { BenchmarkContext } from './benchmark-context.js';
import { sizes } from './data/size.js';
import { startGenerator } from './load/generator.js';
import { helpText, type Options, readOptions } from './options.js';
import { installPackages } from './packages.js';
import { partNames, runParts } from './parts/index.js';
import { createProgress } from './progress.js';
import { compareResults } from './report/compare.js';
import { mergeResults, writePages } from './report/page.js';
import type { Result } from './report/result.js';
import { summary } from './report/summary.js';

const results = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'benchmarks', 'results');
// Exit handlers end the servers. A signal alone would end this process without running them.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

const options = readOptions(process.argv.slice(2));

if (options.help) process.stdout.write(helpText.replace('PARTS', partNames.join(', ')));
else if (options.result !== undefined) useResult(readResult(options.result), options, readBaseline(options));
else if (options.page && !options.ablation) writePages(readPublished());
else await run(options);

async function run(options: Options): Promise<void> {
  const { quick, ablation, only, longer, out } = options;
  const progress = createProgress(process.stderr);
  if (!ablation) installPackages(progress.log);
  // Read first, since the run may overwrite the file.
  const baseline = readBaseline(options);
  const full = ablation ? sizes.ablation : sizes.full;
  const bench: BenchmarkContext = {
    size: quick ? sizes.quick : full,
    rounds: ablation && !quick ? 5 : 3,
    turnMs: (quick ? 300 : ablation ? 320 : 900) * longer,
    connections: 32,
    progress,
    generator: await startGenerator(),
    directory: mkdtempSync(join(tmpdir(), 'millrace-bench-')),
  };
  process.once('exit', () => rmSync(bench.directory, { recursive: true, force: true }));
  const running = ablation ? runAblation(bench) : runParts(bench, only);
  const result = await running.finally(() => bench.generator.close());
  if (result.failed.length > 0) process.exitCode = 1;
  const name = ablation ? 'ablation' : only.length > 0 ? 'part' : bench.size.name;
  const file = out ?? join(results, `${name}.json`);
  writeResult(file, result);
  useResult(result, options, baseline);
  progress.log(`Written to ${file}`);
}

/** Prints a result, and publishes it if that was asked for. */
function useResult(result: Result, { page }: Options, baseline: Result | undefined): void {
  process.stdout.write(summary(result));
  if (baseline !== undefined) process.stdout.write(compareResults(baseline, result));
  if (page) publish(result);
}

/** Makes a result the one that the pages show. */
function publish(result: Result): void {
  const published = mergeResults(readPublished(), result);
  writeResult(publishedFile(), published);
  writePages(published);
}

function publishedFile(): string {
  return join(results, 'published.json');
}

function readPublished(): Result {
  return readResult(publishedFile());
}

/** The result to compare with, if one was named. */
function readBaseline({ compare }: Options): Result | undefined {
  return compare === undefined ? undefined : readResult(compare);
}

function readResult(file: string): Result {
  if (!existsSync(file)) throw new Error(`There is no result at ${file}`);
  return JSON.parse(readFileSync(file, 'utf8'));
}

function writeResult(file: string, result: Result): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(result, null, 1)}\n`);
}
