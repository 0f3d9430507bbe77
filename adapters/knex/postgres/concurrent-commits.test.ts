import test from 'ava';
import { idOf } from '../../../conformance/arbitraries/ids.js';
import { batchOf, entityRow, expectCommit, nextVersion, row } from '../../../conformance/storage/batch.js';
import type { Storage } from '../../../core/ports/index.js';
import { type Database, freshDatabase } from '../../../test/support/postgres/database.js';
import { knexStorage } from '../index.js';

const organization = idOf(77);
const everything = { offset: 0, limit: 1_000 };
let database: Database;
let storages: Storage[];
/** How often something was tried again because it had lost a race in the database. */
let retries = 0;

test.before(async () => {
  database = await freshDatabase();
  storages = Array.from({ length: 4 }, () =>
    knexStorage({
      client: 'postgres',
      connection: database.url,
      pool: { max: 6, acquireTimeout: 60_000 },
      random: () => 0.5,
      sleep: async () => {
        retries += 1;
      },
    }),
  );
  await Promise.all(storages.map((storage) => storage.prepare()));
});
test.after.always(async () => {
  await Promise.all((storages ?? []).map((storage) => storage.close()));
  await database?.drop();
});

const storageAt = (index: number): Storage => storages[index % storages.length] as Storage;

test.serial('racing.one-winner-each', async (t) => {
  let before = row('cluster', 1, { organization_id: organization, name: 'v1' });
  await expectCommit(storageAt(0), { insert: [entityRow('cluster', before)] });
  for (let round = 0; round < 20; round++) {
    const next = nextVersion(before, { name: `v${before.version + 1}` });
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        storageAt(index).commit(
          batchOf({
            replace: [entityRow('cluster', next)],
            insert: [
              entityRow(
                'queue',
                row('queue', 1_000 + round * 8 + index, { cluster_id: before.id, key: `${round}-${index}` }),
              ),
            ],
          }),
        ),
      ),
    );
    t.is(outcomes.filter((outcome) => 'done' in outcome).length, 1);
    t.true(outcomes.every((outcome) => 'done' in outcome || 'conflict' in outcome));
    before = next;
  }
  const { stamps } = await storageAt(1).find('queue.inCluster', { cluster: before.id }, everything);
  t.is(stamps.length, 20, 'something of a loser is left');
});

/** Batches name the same records in all orders: whoever locked them as they are named would soon be deadlocked. */
test.serial('racing.no-deadlock', async (t) => {
  const made = [11, 12, 13, 14].map((number) =>
    row('cluster', number, { organization_id: organization, name: `d${number}` }),
  );
  const queue = row('queue', 15, { cluster_id: idOf(11), key: 'd' });
  await expectCommit(storageAt(0), {
    insert: [...made.map((one) => entityRow('cluster', one)), entityRow('queue', queue)],
  });
  const touches = [
    ...made.map(({ id }) => ({ entity: 'cluster', id }) as const),
    { entity: 'queue', id: queue.id } as const,
  ];
  const before = retries;
  await Promise.all(
    Array.from({ length: 80 }, async (_, index) => {
      const rotated = [...touches.slice(index % 5), ...touches.slice(0, index % 5)];
      await expectCommit(storageAt(index), { touch: index % 2 === 0 ? rotated : rotated.reverse() });
    }),
  );
  t.is(retries, before, 'the server has broken up a deadlock');
  const rows = await storageAt(0).load(
    'cluster.inOrganization',
    made.map(({ id }) => id),
  );
  t.deepEqual(
    rows.map(({ version }) => version),
    [81, 81, 81, 81],
  );
});

/** Two batches that each insert what the other one inserts too, the other way round: the server has to break it up. */
test.serial('racing.deadlocks-are-tried-again', async (t) => {
  const [one, two] = [21, 22].map((number) => row('user', number, { email: `${number}@example.org` }));
  if (one === undefined || two === undefined) return;
  const [there, back] = [
    [one, two],
    [two, one],
  ].map((rows) => rows.map((user) => entityRow('user', user)));
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      storageAt(index).commit(batchOf({ insert: (index % 2 ? there : back) ?? [] })),
    ),
  );
  t.is(outcomes.filter((outcome) => 'done' in outcome).length, 1);
  t.true(outcomes.every((outcome) => 'done' in outcome || 'conflict' in outcome || 'duplicate' in outcome));
});

test.serial('racing.a-build-with-its-jobs-is-read-as-one', async (t) => {
  const build = row('build', 31, { pipeline_id: idOf(5), number: 31, state: 'v1' });
  const job = row('job', 32, { build_id: build.id, state: 'v1' });
  await expectCommit(storageAt(0), { insert: [entityRow('build', build), entityRow('job', job)] });
  let reading = true;
  const seen = new Set<string>();
  const readers = [1, 2].map(async (index) => {
    while (reading) {
      const [row] = await storageAt(index).load('build.byNumber', [build.id]);
      if (row?.state !== row?.jobs[0]?.state) seen.add(`${row?.state} with ${row?.jobs[0]?.state}`);
    }
  });
  let [newest, last] = [build, job];
  for (let version = 2; version < 100; version++) {
    const state = `v${version}`;
    [newest, last] = [nextVersion(newest, { state }), nextVersion(last, { state })];
    await expectCommit(storageAt(0), { replace: [entityRow('build', newest), entityRow('job', last)] });
  }
  reading = false;
  await Promise.all(readers);
  t.deepEqual([...seen], []);
});
