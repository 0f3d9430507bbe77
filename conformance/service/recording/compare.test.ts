import { setImmediate as later } from 'node:timers/promises';
import test from 'ava';
import { memoryStorage } from '../../../adapters/memory/index.js';
import { type Api, type ContainerApiOptions, createApi, tokens } from '../../../core/index.js';
import { runFactor, seed, setSeedAndRuns } from '../../property-settings.js';
import { serviceCases } from '../index.js';
import { overrideStorage } from '../storage-wrappers.js';
import { compare, difference } from './compare.js';
import type { ApiVariant } from './recording.js';

const harness = { storage: async () => memoryStorage() };
const defaultVariant: ApiVariant = { name: 'usual', create: createApi };

/** A storage whose reads take several turns of the event loop. */
const slowStorage: ApiVariant = {
  name: 'slow',
  create(options) {
    const { container } = options;
    const storage = container.resolve(tokens.storage);
    const afterwards =
      <A extends unknown[], T>(call: (...input: A) => Promise<T>) =>
      async (...input: A) => {
        await later();
        return call(...input);
      };
    const { find, load, select } = storage;
    container.register(tokens.storage, {
      useValue: overrideStorage(storage, {
        find: afterwards(find) as typeof find,
        load: afterwards(load) as typeof load,
        select: afterwards(select) as typeof select,
      }),
    });
    return createApi(options);
  },
};

test.before(() => {
  setSeedAndRuns({ seed, runs: runFactor * 0.1 });
});

/** The cases in which the duration of reads can matter: those with concurrent requests. */
const timeSensitiveCases = serviceCases.filter(({ id }) => id.includes('at-once') || id.includes('pages.'));

const withoutCache: ApiVariant = {
  name: 'without caches',
  create: (options) => createApi({ ...options, cache: { renderings: 0, lookups: 0 } }),
};

let requests = 0;
for (const one of serviceCases) {
  test.serial(`the same bytes without caches: ${one.id}`, async (t) => {
    const compared = await compare([one], harness, [defaultVariant, withoutCache]);
    t.deepEqual(compared.differences, []);
    requests += compared.requests;
  });
}

test.serial('the same bytes with a slow storage', async (t) => {
  const compared = await compare(timeSensitiveCases, harness, [defaultVariant, slowStorage]);
  t.deepEqual(compared.differences, []);
});

test.serial('the comparisons cover requests', (t) => {
  t.log(`${requests} requests`);
  t.true(requests > 20_000);
});

/** An Api that changes one of its responses. */
const changingVariant = (change: (body: string) => string): ApiVariant => ({
  name: 'changing',
  create(options: ContainerApiOptions): Api {
    const api = createApi(options);
    return {
      ...api,
      async handle(request) {
        const response = await api.handle(request);
        if (!/\/clusters\/[^/]+$/.test(request.target) || request.method !== 'GET') return response;
        return { ...response, body: [Buffer.from(change(Buffer.concat(response.body).toString()))] };
      },
    };
  },
});

const updating = serviceCases.filter(({ id }) => id === 'clusters.update');

test.serial('a differing byte is reported with its case, request and position', async (t) => {
  const changed = changingVariant((body) => body.replace('"emoji":', '"emojj":'));
  const { differences, cases } = await compare(updating, harness, [defaultVariant, changed]);
  t.is(cases, 1);
  t.like(differences, { length: 1, 0: { case: 'clusters.update' } });
  t.regex(
    differences[0]?.says ?? '',
    /^GET \/v2\/\S+\/clusters\/\S+: byte \d+ of the response: usual has ".*emoji.*", changing has ".*emojj.*"$/,
  );
});

test.serial('a surplus space that no case checks is reported too', async (t) => {
  const { differences } = await compare(updating, harness, [defaultVariant, changingVariant((body) => `${body} `)]);
  t.is(differences.length, 1);
});

const bytes = (text: string) => Buffer.from(text);
const exchange = { request: bytes('GET /\n'), response: bytes('200\n') };

test('recordings can differ in a request, in their number, or only in the outcome of the case', (t) => {
  const names = ['one', 'other'] as const;
  const recording = { exchanges: [exchange, exchange] };
  t.is(difference([recording, recording], names), undefined);
  t.deepEqual(difference([recording, { exchanges: [exchange] }], names), {
    request: 2,
    says: 'only one had the request GET /',
  });
  t.deepEqual(difference([recording, { exchanges: [exchange, { ...exchange, request: bytes('GET /v2\n') }] }], names), {
    request: 2,
    says: 'byte 5 of the request: one has "GET /\\n", other has "GET /v2\\n"',
  });
  t.deepEqual(difference([recording, { ...recording, failure: 'Error: no' }], names), {
    request: 0,
    says: 'one: passed; other: Error: no',
  });
});
