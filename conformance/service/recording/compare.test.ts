import { setImmediate as later } from 'node:timers/promises';
import test from 'ava';
import { memoryStorage } from '../../../adapters/memory/index.js';
import { type Api, type ApiOptions, createApi } from '../../../core/index.js';
import { runFactor, seed, setSeedAndRuns } from '../../property-settings.js';
import { serviceCases } from '../index.js';
import { overrideStorage } from '../storage-wrappers.js';
import { compare, difference } from './compare.js';
import type { ApiVariant } from './recording.js';

const harness = { storage: async () => memoryStorage() };
const defaultVariant: ApiVariant = { name: 'usual', create: createApi };

/** As if everything that is looked up came from far away. */
const slowStorage: ApiVariant = {
  name: 'slow',
  create({ storage, ...options }) {
    const afterwards =
      <A extends unknown[], T>(call: (...input: A) => Promise<T>) =>
      async (...input: A) => {
        await later();
        return call(...input);
      };
    const { find, load, select } = storage;
    return createApi({
      ...options,
      storage: overrideStorage(storage, {
        find: afterwards(find) as typeof find,
        load: afterwards(load) as typeof load,
        select: afterwards(select) as typeof select,
      }),
    });
  },
};

test.before(() => {
  setSeedAndRuns({ seed, runs: runFactor * 0.1 });
});

/** Time says something where requests meet. */
const timeSensitiveCases = serviceCases.filter(({ id }) => id.includes('at-once') || id.includes('pages.'));

const withoutCache: ApiVariant = {
  name: 'with nothing kept',
  create: (options) => createApi({ ...options, cache: { renderings: 0, lookups: 0 } }),
};

let requests = 0;
for (const one of serviceCases) {
  test.serial(`the same bytes with nothing kept: ${one.id}`, async (t) => {
    const compared = await compare([one], harness, [defaultVariant, withoutCache]);
    t.deepEqual(compared.differences, []);
    requests += compared.requests;
  });
}

test.serial('the same bytes, however long the storage takes', async (t) => {
  const compared = await compare(timeSensitiveCases, harness, [defaultVariant, slowStorage]);
  t.deepEqual(compared.differences, []);
});

test.serial('something was compared', (t) => {
  t.log(`${requests} requests`);
  t.true(requests > 20_000);
});

/** An Api that changes one of its answers. */
const changingVariant = (change: (body: string) => string): ApiVariant => ({
  name: 'changing',
  create(options: ApiOptions): Api {
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

test.serial('a byte that differs is told with its case, its request and its place', async (t) => {
  const changed = changingVariant((body) => body.replace('"emoji":', '"emojj":'));
  const { differences, cases } = await compare(updating, harness, [defaultVariant, changed]);
  t.is(cases, 1);
  t.like(differences, { length: 1, 0: { case: 'clusters.update' } });
  t.regex(
    differences[0]?.says ?? '',
    /^GET \/v2\/\S+\/clusters\/\S+: byte \d+ of the answer: usual has ".*emoji.*", changing has ".*emojj.*"$/,
  );
});

test.serial('a space too many, which no case minds, is told as well', async (t) => {
  const { differences } = await compare(updating, harness, [defaultVariant, changingVariant((body) => `${body} `)]);
  t.is(differences.length, 1);
});

const bytes = (text: string) => Buffer.from(text);
const exchange = { asked: bytes('GET /\n'), answered: bytes('200\n') };

test('recordings that differ in what was asked, in how much, or only in how it ended', (t) => {
  const names = ['one', 'other'] as const;
  const recording = { exchanges: [exchange, exchange] };
  t.is(difference([recording, recording], names), undefined);
  t.deepEqual(difference([recording, { exchanges: [exchange] }], names), {
    request: 2,
    says: 'only one was asked GET /',
  });
  t.deepEqual(difference([recording, { exchanges: [exchange, { ...exchange, asked: bytes('GET /v2\n') }] }], names), {
    request: 2,
    says: 'byte 5 of the request: one has "GET /\\n", other has "GET /v2\\n"',
  });
  t.deepEqual(difference([recording, { ...recording, failure: 'Error: no' }], names), {
    request: 0,
    says: 'one: passed; other: Error: no',
  });
});
