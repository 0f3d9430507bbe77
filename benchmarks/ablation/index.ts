import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BenchmarkContext } from '../benchmark-context.js';
import { createPostgresDataSet, createSqliteDataSet, type DataSet } from '../parts/data-set.js';
import { watchMachine } from '../report/machine.js';
import type { AblationMeasurement, Result } from '../report/result.js';
import { startPostgres } from '../servers/postgres.js';
import { measureAblation } from './measure.js';
import { mechanisms } from './mechanisms.js';

const root = new URL('../../../', import.meta.url);

/** Measures what each mechanism is worth: runs the same loads with and without it, on both databases. */
export async function runAblation(bench: BenchmarkContext): Promise<Result> {
  const machineReport = watchMachine();
  // Each of the servers has a pool of ten connections.
  const server = await startPostgres({ maxConnections: 20 * (mechanisms.length + 2) });
  const measured: AblationMeasurement[] = [];
  const failed: string[] = [];
  try {
    for (const create of [
      () => createPostgresDataSet(bench, server, { documents: false }),
      () => createSqliteDataSet(bench, { documents: false }),
    ]) {
      const run = await measureIn(bench, create);
      measured.push(...run.measured);
      failed.push(...run.failed);
    }
  } finally {
    await server.close();
  }
  const machine = machineReport(server.version);
  const size = bench.size.name;
  const lines = Object.fromEntries(mechanisms.map(({ name, files }) => [name, linesOf(files)]));
  return { machine, size, failed, parts: {}, ablation: { machine, size, lines, measured } };
}

async function measureIn(bench: BenchmarkContext, create: () => Promise<DataSet>): ReturnType<typeof measureAblation> {
  const data = await create();
  try {
    return await measureAblation(bench, data);
  } finally {
    await data.close();
  }
}

/** Lines of source code, comments included. */
export const linesOf = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + readFileSync(fileURLToPath(new URL(file, root)), 'utf8').split('\n').length - 1, 0);
