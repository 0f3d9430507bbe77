import assert from 'node:assert/strict';
import { type Storage, StorageUnavailable } from '../../../core/index.js';
import { atSeam, type Case } from '../../case.js';
import { exampleRequests, targetOf } from '../example-requests.js';
import { organizationFixture } from '../fixture.js';
import { type ServiceHarness, withService } from '../service.js';
import { overrideStorage, wrapHarnessStorage } from '../storage-wrappers.js';

const secret = 'SELECT digest FROM access_tokens';

/** A storage that works until a fault is switched on. Then all calls, or only commits, throw. */
function faultyStorage() {
  let fault: (() => never) | undefined;
  const failing = <T>(call: () => Promise<T>): Promise<T> => {
    if (!fault) return call();
    return Promise.resolve().then(fault);
  };
  const wrap = (reads: boolean) => (storage: Storage) =>
    overrideStorage(storage, {
      commit: (batch) => failing(() => storage.commit(batch)),
      ...(reads
        ? {
            find: (query, args, window) => failing(() => storage.find(query, args, window)),
            load: (query, ids) => failing(() => storage.load(query, ids)),
            select: (query, args, limit) => failing(() => storage.select(query, args, limit)),
            count: (query, args, by) => failing(() => storage.count(query, args, by)),
          }
        : {}),
    });
  return {
    wrap,
    break: (error: Error) => {
      fault = () => {
        throw error;
      };
    },
  };
}

const faults: readonly (readonly [id: string, cites: string, status: 500 | 503, error: Error, message: string])[] = [
  [
    'faults.storage-unavailable',
    'decisions 1',
    503,
    new StorageUnavailable(secret, { retryAfter: 7_000 }),
    'The service is unavailable for the moment. Please try again',
  ],
  ['faults.storage-broken', 'decisions 1', 500, new Error(secret), 'Something went wrong on our side'],
];

/** Responses to internal errors are JSON with a general message and show no internal details. */
const storageFaults = faults.map(
  ([id, cites, status, error, message]): Case<ServiceHarness> => ({
    id,
    cites,
    async run(harness) {
      for (const reads of [true, false]) {
        const storage = faultyStorage();
        await withService(
          wrapHarnessStorage(harness, storage.wrap(reads)),
          organizationFixture('acme'),
          async (service) => {
            const examples = (await exampleRequests(service)).filter(
              ({ operation }) => operation.form !== 'public' && (reads || operation.form === 'command'),
            );
            // Cached look-ups would succeed without the storage.
            service.clock.advance(1_000);
            storage.break(error);
            for (const example of examples) {
              const { operation, body } = example;
              const response = await service.send(operation.method, targetOf(example), {
                fault: status,
                ...(body ? { body } : {}),
              });
              assert.deepEqual([response.status, response.body], [status, { message }], operation.id);
              if (status === 503) assert.equal(response.headers['retry-after'], '7');
            }
            assert.equal(
              (await service.send('GET', '/', { token: null })).status,
              200,
              'the root does not use the storage',
            );
          },
        );
      }
    },
  }),
);

const alwaysConflicting: Case<ServiceHarness> = {
  id: 'faults.always-contested',
  cites: 'decisions 12',
  async run(harness) {
    let attempts: number | undefined;
    const conflicting = wrapHarnessStorage(harness, (storage) =>
      overrideStorage(storage, {
        async commit(batch) {
          if (attempts === undefined) return storage.commit(batch);
          attempts += 1;
          return { conflict: { entity: 'cluster', id: 'somebody else' } };
        },
      }),
    );
    await withService(conflicting, organizationFixture('acme'), async (service) => {
      const examples = (await exampleRequests(service)).filter(({ operation }) => operation.form === 'command');
      for (const example of examples) {
        attempts = 0;
        const { operation, body } = example;
        const response = await service.send(operation.method, targetOf(example), body ? { body } : {});
        assert.equal(response.status, 409, operation.id);
        assert.match(response.body.message, /Please try again$/);
        assert.ok(attempts > 1 && attempts < 100, 'retried a few times, then given up');
      }
    });
  },
};

const malformedEscapes: Case<ServiceHarness> = {
  id: 'requests.malformed-escape-in-any-query',
  cites: 'decisions 12',
  run: (harness) =>
    withService(harness, organizationFixture('acme'), async (service) => {
      for (const example of await exampleRequests(service)) {
        const response = await service.send(example.operation.method, `${targetOf(example)}?a=%zz`);
        assert.equal(response.status, 400, example.operation.id);
      }
    }),
};

/** What goes wrong in every operation alike. */
export const faultCases: readonly Case<ServiceHarness>[] = [
  ...atSeam('faults', [...storageFaults, alwaysConflicting]),
  malformedEscapes,
];
