import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { runCli, temporaryDirectory } from '../../test/support/cli-process.js';
import { freshDatabase } from '../../test/support/postgres/database.js';
import type { Report } from '../runner/index.js';
import { storageCases } from '../storage/index.js';
import { serviceCases } from './index.js';

/** Runs the cases whose ids begin with `prefix` through the command. Returns the report, and fails the test if a case failed. */
async function runCommand(t: ExecutionContext, prefix: string, ...args: readonly string[]): Promise<Report> {
  const cwd = await temporaryDirectory(t);
  const options = ['--case', prefix, '--runs', '0.2', '--report', 'json=report.json'];
  const { code, stdout, stderr } = await runCli(cwd, 'conformance', ...args, ...options);
  t.is(code, 0, stdout + stderr);
  return JSON.parse(await readFile(join(cwd, 'report.json'), 'utf8'));
}

const passedIds = ({ results }: Report): string[] =>
  results.filter(({ status }) => status === 'Pass').map(({ id }) => id);
const idsOf = (cases: readonly { readonly id: string }[], prefix: string): string[] =>
  cases.map(({ id }) => id).filter((id) => id.startsWith(prefix));

test.serial('the command tests the service on SQLite, in process and through Koa', async (t) => {
  const prefix = 'agent-tokens.';
  const wanted = idsOf(serviceCases, prefix);
  t.true(wanted.length > 5);
  t.deepEqual(passedIds(await runCommand(t, prefix, '--storage', 'sqlite', '--level', 'service')), wanted);
  const report = await runCommand(t, prefix, '--storage', 'sqlite', '--transport', 'koa', '--level', 'service');
  t.deepEqual(passedIds(report), wanted);
  t.is(report.subject, 'storage sqlite, transport koa');
});

test.serial('the command tests PostgreSQL, alone and with the service, and drops its schemas', async (t) => {
  const database = await freshDatabase();
  t.teardown(() => database.drop());
  const storage = ['--storage', database.url];
  t.deepEqual(
    passedIds(await runCommand(t, 'storage.next', ...storage, '--level', 'storage')),
    idsOf(storageCases, 'storage.next'),
  );
  const report = await runCommand(t, 'teams.', ...storage, '--level', 'service');
  t.deepEqual(passedIds(report), idsOf(serviceCases, 'teams.'));
  t.regex(report.subject, /^storage postgres:\/\/postgres:\*\*\*@/);
  const remaining = await database.query(`select nspname from pg_namespace where nspname like 'millrace%'`);
  t.deepEqual(remaining, []);
});
