import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { KnexOptions } from '../../adapters/knex/index.js';

const workerPath = fileURLToPath(new URL('knex-worker.js', import.meta.url));
const run = promisify(execFile);

/** Runs the worker in processes of their own, all at once, on one database; what each of them found. */
export const runWorkers = (
  count: number,
  database: KnexOptions,
  ...args: string[]
): Promise<{ numbers: number[]; raised: number }[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const workerArguments = [workerPath, JSON.stringify(database), ...args, String(index)];
      const { stdout, stderr } = await run(process.execPath, workerArguments);
      if (stderr !== '') throw new Error(stderr);
      return JSON.parse(stdout);
    }),
  );
