import test from 'ava';
import { idOf } from '../../../conformance/arbitraries/ids.js';
import { batchOf, entityRow, expectCommit, nextVersion, row } from '../../../conformance/storage/batch.js';
import type { Batch, Storage } from '../../../core/ports/index.js';
import { type Database, freshDatabase } from '../../../test/support/postgres/database.js';
import { knexStorage } from '../index.js';

/** A conflict is an ordinary outcome: it must not be an ERROR in the log of the server, which its operators watch. */

let database: Database;
test.before(async () => {
  database = await freshDatabase();
});
test.after.always(() => database?.drop());

/** How many transactions of the database the server has rolled back; each error does so, and nothing else here. */
async function rolledBackAfter(work: (storage: Storage) => Promise<void>): Promise<number> {
  const storage = knexStorage({
    client: 'postgres',
    connection: database.url,
    pool: { max: 4, acquireTimeout: 60_000 },
  });
  const before = await rolledBack();
  await work(storage);
  await storage.close();
  return (await rolledBack()) - before;
}

async function rolledBack(): Promise<number> {
  for (;;) {
    // A connection reports its figures when it ends, before it leaves the list of connections.
    const [others] = await database.query(
      `select count(*)::int as "count" from pg_stat_activity where "datname" = current_database() and "pid" <> pg_backend_pid()`,
    );
    if (others?.count === 0) break;
  }
  const [row] = await database.query(
    `select "xact_rollback"::int as "count" from pg_stat_database where "datname" = current_database()`,
  );
  return Number(row?.count);
}

const organization_id = idOf(77);
const cluster = row('cluster', 1, { organization_id, name: 'a' });
const queue = row('queue', 2, { organization_id, cluster_id: cluster.id, key: 'a' });

test.serial('quiet-conflicts.no-error-in-the-server', async (t) => {
  await rolledBackAfter(async (storage) => {
    await storage.prepare();
    await expectCommit(storage, { insert: [entityRow('cluster', cluster), entityRow('queue', queue)] });
  });
  const at = (version: number) => ({ entity: 'cluster', id: cluster.id, version }) as const;
  const absent = { entity: 'cluster', id: idOf(9), version: 1 } as const;
  const other = entityRow('queue', row('queue', 3, { organization_id, cluster_id: cluster.id, key: 'b' }));
  const none = { none: 'queue.inCluster', args: { cluster: cluster.id } } as const;
  const conflicts: (readonly [string, Batch, object])[] = [
    ['expected version', batchOf({ expect: [at(2)], insert: [other] }), { entity: 'cluster', id: cluster.id }],
    ['expected record', batchOf({ expect: [absent], insert: [other] }), { entity: 'cluster', id: absent.id }],
    [
      'replacement',
      batchOf({ replace: [entityRow('cluster', nextVersion(nextVersion(cluster)))], insert: [other] }),
      { entity: 'cluster', id: cluster.id },
    ],
    [
      'two versions of one record',
      batchOf({ expect: [at(2)], remove: [at(1)] }),
      { entity: 'cluster', id: cluster.id },
    ],
    ['removal', batchOf({ remove: [at(2)], insert: [other] }), { entity: 'cluster', id: cluster.id }],
    ['touch', batchOf({ touch: [absent], insert: [other] }), { entity: 'cluster', id: absent.id }],
    ['none', batchOf({ expect: [at(1), none], insert: [other] }), { none: none.none }],
    ['none without a lock', batchOf({ expect: [none], insert: [other] }), { none: none.none }],
  ];
  const count = await rolledBackAfter(async (storage) => {
    for (const [name, batch, conflict] of conflicts) t.deepEqual(await storage.commit(batch), { conflict }, name);
    t.is((await storage.find('queue.inCluster', { cluster: cluster.id }, { offset: 0, limit: 9 })).stamps.length, 1);
  });
  t.is(count, 0);
});

test.serial('quiet-conflicts.no-error-in-a-race', async (t) => {
  const count = await rolledBackAfter(async (storage) => {
    let [before] = await storage.load('cluster.inOrganization', [cluster.id]);
    for (let round = 0; round < 10 && before !== undefined; round++) {
      const { created_by: _, ...unchanged } = before;
      const next = nextVersion(unchanged, { name: `round ${round}` });
      const batch = batchOf({ replace: [entityRow('cluster', next)] });
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => storage.commit(batch)));
      t.is(outcomes.filter((outcome) => 'done' in outcome).length, 1);
      t.is(outcomes.filter((outcome) => 'conflict' in outcome).length, 7);
      [before] = await storage.load('cluster.inOrganization', [cluster.id]);
    }
  });
  t.is(count, 0);
});

test.serial('quiet-conflicts.errors-are-counted', async (t) => {
  const count = await rolledBackAfter(async (storage) => {
    const sameKey = entityRow('queue', { ...queue, id: idOf(5) });
    t.true('duplicate' in (await storage.commit(batchOf({ insert: [sameKey] }))));
  });
  t.is(count, 1);
});
