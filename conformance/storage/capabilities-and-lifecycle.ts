import { deepStrictEqual, rejects, strictEqual } from 'node:assert';
import { StorageUnavailable } from '../../core/ports/index.js';
import { idOf } from '../arbitraries/ids.js';
import { batchOf, entityRow, expectCommit, nextVersion, row } from './batch.js';
import { type StorageCase, storageCase } from './case.js';

const organization = idOf(77);
const cluster = row('cluster', 1, { organization_id: organization, name: 'first' });
const pipeline = idOf(7);
const build = row('build', 1, { pipeline_id: pipeline, state: 'passed' });
const all = { offset: 0, limit: 10 };
const event = { type: 'made', organization_id: organization, at: '2026-01-31T09:30:00.000Z', data: {} };

/** Checks each capability: that it holds if the storage declares it, and that it does not hold otherwise. */
export const capabilityAndLifecycleCases: readonly StorageCase[] = [
  storageCase(
    'capabilities.durable',
    ['storage: StorageClaims'],
    async (harness) => {
      const first = await harness.storage();
      await expectCommit(first, { insert: [entityRow('cluster', cluster)], events: [event] });
      const number = await first.next('builds');
      await first.close();
      const second = await harness.reopen(first);
      const { durable } = second.capabilities;
      const { stamps } = await second.find('cluster.inOrganization', { organization }, all);
      deepStrictEqual(stamps, durable ? [{ id: cluster.id, version: 1 }] : []);
      strictEqual((await second.events(0, 10)).length, durable ? 1 : 0);
      strictEqual((await second.next('builds')) > number, durable);
    },
    ['reopen'],
  ),

  storageCase(
    'capabilities.shared',
    ['storage: StorageClaims'],
    async (harness) => {
      const first = await harness.storage();
      const second = await harness.reopen(first);
      const { shared } = first.capabilities;
      await expectCommit(first, {
        insert: [entityRow('cluster', cluster), entityRow('build', build)],
        events: [event],
      });
      const counts = await second.count('build.ofPipeline', { pipeline }, 'state');
      deepStrictEqual(counts, shared ? { passed: 1 } : {});
      const { stamps } = await second.find('cluster.inOrganization', { organization }, all);
      deepStrictEqual(stamps, shared ? [{ id: cluster.id, version: 1 }] : []);
      strictEqual((await second.events(0, 10)).length, shared ? 1 : 0);
      const numbers = await Promise.all(
        [first, second].flatMap((storage) => [1, 2, 3].map(() => storage.next('builds'))),
      );
      strictEqual(new Set(numbers).size === 6, shared);
      const commits = [first, second].map((storage, index) =>
        storage.commit(batchOf({ replace: [entityRow('cluster', nextVersion(cluster, { name: `by-${index}` }))] })),
      );
      const outcomes = await Promise.all(commits);
      strictEqual(outcomes.filter((outcome) => 'done' in outcome).length, 1);
    },
    ['reopen'],
  ),

  storageCase('prepare.again', ['storage: prepare'], async (harness) => {
    const storage = await harness.storage();
    await expectCommit(storage, { insert: [entityRow('cluster', cluster)] });
    await Promise.all([storage.prepare(), storage.prepare()]);
    strictEqual((await storage.find('cluster.inOrganization', { organization }, all)).stamps.length, 1);
  }),

  storageCase('close.unavailable-after', ['storage: close', 'storage: StorageUnavailable'], async (harness) => {
    const storage = await harness.storage();
    await storage.close();
    const late = [
      () => storage.find('cluster.inOrganization', { organization }, all),
      () => storage.load('cluster.inOrganization', [cluster.id]),
      () => storage.select('cluster.inOrganization', { organization }, 1),
      () => storage.count('build.ofPipeline', { pipeline }, 'state'),
      () => storage.commit(batchOf({ insert: [entityRow('cluster', cluster)] })),
      () => storage.next('builds'),
      () => storage.events(0, 1),
      () => storage.forgetEvents(1),
    ];
    for (const call of late) await rejects(call, StorageUnavailable);
    await storage.close();
  }),
];
