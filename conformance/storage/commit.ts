import { deepStrictEqual, strictEqual } from 'node:assert';
import type { Storage } from '../../core/ports/index.js';
import { idOf } from '../arbitraries/ids.js';
import type { AnyRow } from '../arbitraries/rows.js';
import { batchOf, committed, entityRow, expectCommit, nextVersion, row } from './batch.js';
import { type StorageCase, storageCase } from './case.js';

const organization = idOf(77);
const cluster = (number: number, name: string) => row('cluster', number, { organization_id: organization, name });
const queue = (number: number, parent: AnyRow, key = `queue-${number}`) =>
  row('queue', number, { cluster_id: parent.id, key });
const event = (type: string) => ({ type, organization_id: organization, at: '2026-01-31T09:30:00.000Z', data: {} });
const wholeList = { offset: 0, limit: 100 };
const clustersOf = (storage: Storage) => storage.find('cluster.inOrganization', { organization }, wholeList);
const versionOf = ({ id, version }: AnyRow) => ({ entity: 'cluster', id, version }) as const;

const cites = ['storage: commit', 'storage: Batch'];

/** The effects of a batch, and its atomicity. */
export const commitCases: readonly StorageCase[] = [
  storageCase('commit.empty', cites, async (harness) => {
    await expectCommit(await harness.storage(), {});
  }),

  storageCase('commit.replace-at-version', cites, async (harness) => {
    const storage = await harness.storage();
    const first = cluster(1, 'first');
    await expectCommit(storage, { insert: [entityRow('cluster', first)] });
    const second = nextVersion(first, { name: 'second' });
    await expectCommit(storage, { replace: [entityRow('cluster', second)] });
    const late = { ...nextVersion(first), name: 'late' };
    const conflict = { entity: 'cluster', id: first.id };
    deepStrictEqual(await storage.commit(batchOf({ replace: [entityRow('cluster', late)] })), { conflict });
    deepStrictEqual(await storage.commit(batchOf({ remove: [versionOf(first)] })), { conflict });
    deepStrictEqual(await storage.commit(batchOf({ expect: [versionOf(first)] })), { conflict });
    deepStrictEqual((await clustersOf(storage)).stamps, [{ id: first.id, version: 2 }]);
    await expectCommit(storage, { expect: [versionOf(second)], remove: [versionOf(second)] });
    deepStrictEqual((await clustersOf(storage)).stamps, []);
    deepStrictEqual(await storage.commit(batchOf({ expect: [versionOf(second)] })), { conflict });
  }),

  storageCase('commit.touch', cites, async (harness) => {
    const storage = await harness.storage();
    const touched = cluster(1, 'touched');
    await expectCommit(storage, { insert: [entityRow('cluster', touched)] });
    await expectCommit(storage, { touch: [versionOf(touched)] });
    await expectCommit(storage, { touch: [versionOf(touched)], expect: [{ ...versionOf(touched), version: 2 }] });
    deepStrictEqual((await clustersOf(storage)).stamps, [{ id: touched.id, version: 3 }]);
    const conflict = { entity: 'cluster', id: idOf(9) };
    deepStrictEqual(await storage.commit(batchOf({ touch: [{ entity: 'cluster', id: idOf(9) }] })), { conflict });
  }),

  storageCase(
    'commit.touch-never-conflicts',
    [...cites, 'house: a hundred agents accept jobs of one build'],
    async (harness) => {
      const storage = await harness.storage();
      const shared = cluster(1, 'shared');
      await expectCommit(storage, { insert: [entityRow('cluster', shared)] });
      await Promise.all(Array.from({ length: 20 }, () => expectCommit(storage, { touch: [versionOf(shared)] })));
      deepStrictEqual((await clustersOf(storage)).stamps, [{ id: shared.id, version: 21 }]);
    },
  ),

  storageCase('commit.one-winner', cites, async (harness) => {
    const storage = await harness.storage();
    const before = cluster(1, 'before');
    await expectCommit(storage, { insert: [entityRow('cluster', before)] });
    const commits = Array.from({ length: 20 }, (_, index) =>
      storage.commit(
        batchOf({
          replace: [entityRow('cluster', nextVersion(before, { name: `after-${index}` }))],
          insert: [entityRow('queue', queue(100 + index, before))],
          events: [event(`won.${index}`)],
        }),
      ),
    );
    const winners = (await Promise.all(commits)).flatMap((outcome, index) => ('done' in outcome ? [index] : []));
    strictEqual(winners.length, 1);
    const [row] = await storage.load('cluster.inOrganization', [before.id]);
    strictEqual(row?.name, `after-${winners[0]}`);
    const queues = await storage.find('queue.inCluster', { cluster: before.id }, wholeList);
    deepStrictEqual(queues.stamps, [{ id: idOf(100 + (winners[0] ?? 0)), version: 1 }]);
    deepStrictEqual(
      (await storage.events(0, 100)).map(({ type }) => type),
      [`won.${winners[0]}`],
    );
  }),

  storageCase('commit.nothing-of-it', cites, async (harness) => {
    const storage = await harness.storage();
    const [one, two, three] = [cluster(1, 'one'), cluster(2, 'two'), cluster(3, 'three')];
    await expectCommit(storage, { insert: [one, two].map((row) => entityRow('cluster', row)) });
    const change = {
      remove: [versionOf(one)],
      replace: [entityRow('cluster', nextVersion(two, { name: 'changed' }))],
      insert: [entityRow('cluster', three), entityRow('queue', queue(1, three))],
      events: [event('never')],
    };
    const failingBatches = [
      { ...change, expect: [{ ...versionOf(one), version: 7 }] },
      { ...change, expect: [{ none: 'cluster.inOrganization', args: { organization } }] as const },
      { ...change, touch: [{ entity: 'cluster', id: idOf(9) }] as const },
      { ...change, replace: [entityRow('cluster', { ...two, version: 5 })] },
      { ...change, remove: [{ ...versionOf(one), version: 2 }] },
      { ...change, insert: [...change.insert, entityRow('cluster', cluster(4, 'three'))] },
      { ...change, remove: [], insert: [...change.insert, entityRow('cluster', one)] },
    ];
    for (const batch of failingBatches) {
      strictEqual('done' in (await storage.commit(batchOf(batch))), false);
      const rows = await storage.load('cluster.inOrganization', [1, 2, 3, 4].map(idOf));
      deepStrictEqual(rows.map(({ name, version }) => [name, version]).sort(), [
        ['one', 1],
        ['two', 1],
      ]);
      deepStrictEqual((await clustersOf(storage)).stamps.length, 2);
      deepStrictEqual((await storage.find('queue.inCluster', { cluster: three.id }, wholeList)).stamps, []);
      deepStrictEqual(await storage.events(0, 10), []);
    }
    await expectCommit(storage, change);
  }),

  storageCase('commit.unique-keys', [...cites, 'storage: UniqueKey'], async (harness) => {
    const storage = await harness.storage();
    const [one, two] = [cluster(1, 'one'), cluster(2, 'two')];
    const elsewhere = { ...cluster(3, 'one'), organization_id: idOf(78) };
    await expectCommit(storage, { insert: [one, two, elsewhere].map((row) => entityRow('cluster', row)) });
    const duplicate = { entity: 'cluster', key: 'name' };
    deepStrictEqual(await storage.commit(batchOf({ insert: [entityRow('cluster', cluster(4, 'one'))] })), {
      duplicate,
    });
    deepStrictEqual(
      await storage.commit(batchOf({ replace: [entityRow('cluster', nextVersion(one, { name: 'two' }))] })),
      {
        duplicate,
      },
    );
    const twice = [cluster(4, 'new'), cluster(5, 'new')].map((row) => entityRow('cluster', row));
    deepStrictEqual(await storage.commit(batchOf({ insert: twice })), { duplicate });
    await expectCommit(storage, { insert: [entityRow('cluster', cluster(6, 'One'))] });
  }),

  storageCase('commit.one-owner-of-a-key', [...cites, 'storage: UniqueKey'], async (harness) => {
    const storage = await harness.storage();
    const commits = Array.from({ length: 20 }, (_, index) => {
      const wanted = entityRow('cluster', cluster(1 + index, 'wanted'));
      const own = entityRow('queue', queue(100 + index, cluster(99, ''), `own-${index}`));
      return storage.commit(batchOf({ insert: [own, wanted], events: [event(`won.${index}`)] }));
    });
    const outcomes = await Promise.all(commits);
    const winners = outcomes.flatMap((outcome, index) => ('done' in outcome ? [index] : []));
    strictEqual(winners.length, 1);
    const losers = outcomes.filter((outcome) => !('done' in outcome));
    deepStrictEqual(losers, Array(19).fill({ duplicate: { entity: 'cluster', key: 'name' } }));
    const queues = await storage.find('queue.inCluster', { cluster: idOf(99) }, wholeList);
    deepStrictEqual(queues.stamps, [{ id: idOf(100 + (winners[0] ?? 0)), version: 1 }]);
    const events = await storage.events(0, 100);
    deepStrictEqual(
      events.map(({ type }) => type),
      [`won.${winners[0]}`],
    );
  }),

  storageCase('commit.keys-change-hands', [...cites, 'storage: UniqueKey'], async (harness) => {
    const storage = await harness.storage();
    const [one, two, three] = [cluster(1, 'one'), cluster(2, 'two'), cluster(3, 'one')];
    await expectCommit(storage, { insert: [one, two].map((row) => entityRow('cluster', row)) });
    const exchanged = [nextVersion(one, { name: 'two' }), nextVersion(two, { name: 'one' })];
    await expectCommit(storage, { replace: exchanged.map((row) => entityRow('cluster', row)) });
    const [now = one, then = two] = exchanged;
    await expectCommit(storage, { remove: [versionOf(then)], insert: [entityRow('cluster', three)] });
    const renamed = nextVersion(now, { name: 'renamed' });
    await expectCommit(storage, {
      replace: [entityRow('cluster', renamed)],
      insert: [entityRow('cluster', cluster(4, 'two'))],
    });
    const find = async (name: string) =>
      (await storage.select('cluster.inOrganization', { organization, name }, 9)).map(({ id }) => id);
    deepStrictEqual([await find('one'), await find('two'), await find('renamed')], [[three.id], [idOf(4)], [one.id]]);
    const duplicate = { entity: 'cluster', key: 'name' };
    deepStrictEqual(await storage.commit(batchOf({ insert: [entityRow('cluster', cluster(5, 'renamed'))] })), {
      duplicate,
    });
  }),

  storageCase('commit.none', [...cites, 'storage: Expectation'], async (harness) => {
    const storage = await harness.storage();
    const parent = cluster(1, 'parent');
    await expectCommit(storage, { insert: [entityRow('cluster', parent)] });
    const childless = { expect: [{ none: 'queue.inCluster', args: { cluster: parent.id } }] } as const;
    await expectCommit(storage, childless);
    await expectCommit(storage, { insert: [entityRow('queue', queue(1, parent, 'a'))] });
    deepStrictEqual(await storage.commit(batchOf(childless)), { conflict: { none: 'queue.inCluster' } });
    await expectCommit(storage, { expect: [{ none: 'queue.inCluster', args: { cluster: parent.id, key: 'b' } }] });
    await expectCommit(storage, { expect: [{ none: 'build.ofOrganizations', args: { organizations: [] } }] });
  }),

  storageCase(
    'commit.child-or-removal',
    [...cites, 'house: deleting a parent while a child is being made'],
    async (harness) => {
      const storage = await harness.storage();
      for (let round = 1; round <= 10; round++) {
        const parent = cluster(round, `parent-${round}`);
        await expectCommit(storage, { insert: [entityRow('cluster', parent)] });
        const birth = () =>
          storage.commit(batchOf({ expect: [versionOf(parent)], insert: [entityRow('queue', queue(round, parent))] }));
        const removal = () =>
          storage.commit(
            batchOf({
              expect: [{ none: 'queue.inCluster', args: { cluster: parent.id } }],
              remove: [versionOf(parent)],
            }),
          );
        const order = round % 2 === 0 ? [birth, removal] : [removal, birth];
        const outcomes = await Promise.all(order.map((start) => start()));
        strictEqual(outcomes.filter((outcome) => 'done' in outcome).length, 1);
      }
    },
  ),

  storageCase('commit.outcome-is-visible', cites, async (harness) => {
    const storage = await harness.storage();
    for (let number = 1; number <= 10; number++) {
      deepStrictEqual(
        await storage.commit(batchOf({ insert: [entityRow('cluster', cluster(number, `c${number}`))] })),
        committed,
      );
      const reads = await Promise.all(Array.from({ length: 4 }, () => clustersOf(storage)));
      deepStrictEqual(
        reads.map(({ stamps }) => stamps.length),
        [number, number, number, number],
      );
    }
  }),
];
