import { deepStrictEqual, rejects, strictEqual } from 'node:assert';
import { StorageUnavailable } from '../../core/ports/index.js';
import { idOf } from '../arbitraries/ids.js';
import { batchOf, carriedOut, changed, put, row } from './batch.js';
import { type StorageCase, storageCase } from './case.js';

const organization = idOf(77);
const cluster = row('cluster', 1, { organization_id: organization, name: 'first' });
const pipeline = idOf(7);
const build = row('build', 1, { pipeline_id: pipeline, state: 'passed' });
const all = { offset: 0, limit: 10 };
const event = { type: 'made', organization_id: organization, at: '2026-01-31T09:30:00.000Z', data: {} };

/** The claims of a storage: each that it makes, and the opposite of each that it does not make. */
export const outlivingCases: readonly StorageCase[] = [
  storageCase(
    'claims.durable',
    ['storage: StorageClaims'],
    async (harness) => {
      const first = await harness.storage();
      await carriedOut(first, { insert: [put('cluster', cluster)], events: [event] });
      const number = await first.next('builds');
      await first.close();
      const second = await harness.again(first);
      const { durable } = second.claims;
      const { stamps } = await second.find('cluster.inOrganization', { organization }, all);
      deepStrictEqual(stamps, durable ? [{ id: cluster.id, version: 1 }] : []);
      strictEqual((await second.events(0, 10)).length, durable ? 1 : 0);
      strictEqual((await second.next('builds')) > number, durable);
    },
    ['again'],
  ),

  storageCase(
    'claims.shared',
    ['storage: StorageClaims'],
    async (harness) => {
      const first = await harness.storage();
      const second = await harness.again(first);
      const { shared } = first.claims;
      await carriedOut(first, { insert: [put('cluster', cluster), put('build', build)], events: [event] });
      const counts = await second.count('build.ofPipeline', { pipeline }, 'state');
      deepStrictEqual(counts, shared ? { passed: 1 } : {});
      const { stamps } = await second.find('cluster.inOrganization', { organization }, all);
      deepStrictEqual(stamps, shared ? [{ id: cluster.id, version: 1 }] : []);
      strictEqual((await second.events(0, 10)).length, shared ? 1 : 0);
      const numbers = await Promise.all(
        [first, second].flatMap((storage) => [1, 2, 3].map(() => storage.next('builds'))),
      );
      strictEqual(new Set(numbers).size === 6, shared);
      const racing = [first, second].map((storage, place) =>
        storage.commit(batchOf({ replace: [put('cluster', changed(cluster, { name: `by-${place}` }))] })),
      );
      const outcomes = await Promise.all(racing);
      strictEqual(outcomes.filter((outcome) => 'done' in outcome).length, 1);
    },
    ['again'],
  ),

  storageCase('prepare.again', ['storage: prepare'], async (harness) => {
    const storage = await harness.storage();
    await carriedOut(storage, { insert: [put('cluster', cluster)] });
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
      () => storage.commit(batchOf({ insert: [put('cluster', cluster)] })),
      () => storage.next('builds'),
      () => storage.events(0, 1),
      () => storage.forgetEvents(1),
    ];
    for (const call of late) await rejects(call, StorageUnavailable);
    await storage.close();
  }),
];
