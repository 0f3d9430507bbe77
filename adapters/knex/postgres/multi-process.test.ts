import test from 'ava';
import { idOf } from '../../../conformance/arbitraries/ids.js';
import { entityRow, expectCommit, row } from '../../../conformance/storage/batch.js';
import { runWorkers } from '../../../test/support/knex-workers.js';
import { type Database, freshDatabase } from '../../../test/support/postgres/database.js';
import { knexStorage } from '../index.js';

const withDatabase = async (work: (database: Database) => Promise<void>) => {
  const database = await freshDatabase();
  try {
    await work(database);
  } finally {
    await database.drop();
  }
};

test.serial('processes.lose-nothing', (t) =>
  withDatabase(async ({ url }) => {
    const storage = knexStorage({ client: 'postgres', connection: url });
    await storage.prepare();
    const counter = row('cluster', 1, { organization_id: idOf(77), name: '0' });
    await expectCommit(storage, { insert: [entityRow('cluster', counter)] });
    const rounds = 60;

    // Meanwhile somebody reads the events, always from the last one on.
    let working = true;
    const seen: number[] = [];
    const reading = (async () => {
      for (let last = false; !last; ) {
        last = !working;
        for (const { sequence } of await storage.events(seen.at(-1) ?? 0, 7)) seen.push(sequence);
        if (last && (await storage.events(seen.at(-1) ?? 0, 1)).length > 0) last = false;
      }
    })();
    const found = await runWorkers(3, { client: 'postgres', connection: url }, String(rounds), counter.id);
    working = false;
    await reading;

    const numbers = found.flatMap((process) => process.numbers);
    t.is(new Set(numbers).size, 3 * rounds, 'a number was given twice');
    t.is(
      found.reduce((sum, { raised }) => sum + raised, 0),
      3 * rounds,
    );
    const [after] = await storage.load('cluster.inOrganization', [counter.id]);
    t.is(after?.name, String(3 * rounds), 'an update was lost');
    t.is(after?.version, 1 + 3 * rounds);
    const window = { offset: 0, limit: 0, countUpTo: 1_000 };
    t.is((await storage.find('queue.inCluster', { cluster: counter.id }, window)).total, 3 * rounds);
    const events = await storage.events(0, 1_000);
    t.is(events.length, 3 * rounds);
    t.deepEqual(
      seen,
      events.map(({ sequence }) => sequence),
      'an event was skipped',
    );
    await storage.close();
  }),
);

test.serial('processes.prepare-at-once', (t) =>
  withDatabase(async ({ url }) => {
    const found = await runWorkers(6, { client: 'postgres', connection: url }, '1', idOf(1));
    t.is(new Set(found.flatMap(({ numbers }) => numbers)).size, 6);
  }),
);
