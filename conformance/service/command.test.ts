import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { directory, run } from '../../adapters/cli/_process.test.js';
import { freshDatabase } from '../../adapters/knex/postgres/testing/_database.test.js';
import type { Report } from '../runner/index.js';
import { storageCases } from '../storage/index.js';
import { serviceCases } from './index.js';

/** Runs the cases whose ids begin so through the command; its report, when it was good. */
async function asked(t: ExecutionContext, prefix: string, ...args: readonly string[]): Promise<Report> {
  const cwd = await directory(t);
  const options = ['--case', prefix, '--runs', '0.2', '--report', 'json=report.json'];
  const { code, stdout, stderr } = await run(cwd, 'conformance', ...args, ...options);
  t.is(code, 0, stdout + stderr);
  return JSON.parse(await readFile(join(cwd, 'report.json'), 'utf8'));
}

const passed = ({ results }: Report): string[] => results.filter(({ status }) => status === 'Pass').map(({ id }) => id);
const idsOf = (cases: readonly { readonly id: string }[], prefix: string): string[] =>
  cases.map(({ id }) => id).filter((id) => id.startsWith(prefix));

test.serial('the whole service on SQLite, in process and through Koa', async (t) => {
  const prefix = 'agent-tokens.';
  const wanted = idsOf(serviceCases, prefix);
  t.true(wanted.length > 5);
  t.deepEqual(passed(await asked(t, prefix, '--storage', 'sqlite', '--level', 'service')), wanted);
  const report = await asked(t, prefix, '--storage', 'sqlite', '--transport', 'koa', '--level', 'service');
  t.deepEqual(passed(report), wanted);
  t.is(report.subject, 'storage sqlite, transport koa');
});

test.serial('PostgreSQL, alone and under the whole service; nothing is left behind', async (t) => {
  const database = await freshDatabase();
  t.teardown(() => database.drop());
  const storage = ['--storage', database.url];
  t.deepEqual(
    passed(await asked(t, 'storage.next', ...storage, '--level', 'storage')),
    idsOf(storageCases, 'storage.next'),
  );
  const report = await asked(t, 'teams.', ...storage, '--level', 'service');
  t.deepEqual(passed(report), idsOf(serviceCases, 'teams.'));
  t.regex(report.subject, /^storage postgres:\/\/postgres:\*\*\*@/);
  const left = await database.query(`select nspname from pg_namespace where nspname like 'millrace%'`);
  t.deepEqual(left, []);
});
