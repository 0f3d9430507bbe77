import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import pg from 'pg';
import { idOf } from '../../../conformance/arbitraries/ids.js';
import { batchOf, entityRow, expectCommit, row } from '../../../conformance/storage/batch.js';
import { StorageUnavailable } from '../../../core/ports/index.js';
import { ownServer } from '../../../test/support/postgres/server.js';
import { knexStorage } from '../index.js';

const organization = idOf(77);
const everything = { offset: 0, limit: 10_000 };
const cluster = (number: number) => row('cluster', number, { organization_id: organization, name: `c${number}` });

for (const signal of ['kill', 'stop'] as const) {
  test.serial(`outages.${signal}`, async (t) => {
    const server = await ownServer();
    const storage = knexStorage({ client: 'postgres', connection: server.url });
    await storage.prepare();

    // Commits go on while the server goes away and comes back; each of them is answered.
    let running = true;
    let number = 0;
    const done = new Set<string>();
    const failed = new Set<string>();
    const working = Array.from({ length: 4 }, async () => {
      while (running) {
        const made = cluster(++number);
        try {
          await expectCommit(storage, { insert: [entityRow('cluster', made)] });
          done.add(made.id);
        } catch (error) {
          if (!(error instanceof StorageUnavailable)) throw error;
          t.false(error.message.includes('\n'));
          t.true(error.retryAfter > 0);
          failed.add(made.id);
          await pause(20);
        }
      }
    });
    await pause(200);
    await server.control(signal);
    await t.throwsAsync(() => storage.next('a'), { instanceOf: StorageUnavailable });
    await pause(200);
    const before = done.size;
    await server.control('start');
    await until(t, () => storage.next('a'));
    await pause(200);
    running = false;
    await Promise.all(working);

    t.true(failed.size > 0 && done.size > before);
    const { stamps } = await storage.find('cluster.inOrganization', { organization }, everything);
    const there = new Set(stamps.map(({ id }) => id));
    t.deepEqual(
      [...done].filter((id) => !there.has(id)),
      [],
      'something that was done is gone',
    );
    t.deepEqual(
      [...there].filter((id) => !done.has(id) && !failed.has(id)),
      [],
    );
    await storage.close();
    server.release();
  });
}

/** A server that has just begun to accept connections may refuse a few. */
async function until(t: ExecutionContext, work: () => Promise<unknown>): Promise<void> {
  const end = performance.now() + 5_000;
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if (performance.now() > end) throw error;
      t.true(error instanceof StorageUnavailable);
    }
    await pause(50);
  }
}

test.serial('outages.busy', async (t) => {
  const server = await ownServer();
  const [patient, hasty] = [{}, { statementTimeout: 300 }].map((options) =>
    knexStorage({ client: 'postgres', connection: server.url, pool: { max: 1 }, ...options }),
  );
  if (patient === undefined || hasty === undefined) return;
  await patient.prepare();
  await patient.next('a');
  const blocker = new pg.Client({ connectionString: server.url });
  await blocker.connect();
  await blocker.query('begin; lock table millrace_sequences in access exclusive mode');

  const waiting = patient.next('a');
  // It takes the only connection at the end of this turn.
  await turn();
  const begun = performance.now();
  await t.throwsAsync(() => patient.commit(batchOf({ insert: [entityRow('cluster', cluster(1))] })), {
    instanceOf: StorageUnavailable,
    message: /no connection became free in time/,
  });
  const took = performance.now() - begun;
  t.true(took > 1_900 && took < 2_600, `it took ${took} ms`);
  await t.throwsAsync(() => hasty.next('a'), { instanceOf: StorageUnavailable, message: /did not answer in time/ });
  await blocker.end();
  t.is(await waiting, 2);
  t.is(await hasty.next('a'), 3);
  await Promise.all([patient.close(), hasty.close()]);
  server.release();
});

test.serial('outages.too-many-connections', async (t) => {
  const server = await ownServer();
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(`create role few login password 'few' connection limit 1; grant create on schema public to few`);
  const url = new URL(server.url);
  [url.username, url.password] = ['few', 'few'];
  const first = knexStorage({ client: 'postgres', connection: url.href, pool: { max: 1 } });
  const second = knexStorage({ client: 'postgres', connection: url.href, pool: { max: 1 } });
  await first.prepare();
  await t.throwsAsync(() => second.next('a'), { instanceOf: StorageUnavailable, message: /too many connections/ });
  await first.close();
  await until(t, () => second.next('a'));
  await second.close();
  await admin.end();
  server.release();
});
