import test from 'ava';
import { memoryStorage } from '../adapters/memory/index.js';
import { errors } from './errors/index.js';
import { type ApiOptions, reportToConsole, resolveOptions } from './options.js';

const storage = memoryStorage();

test('a storage is the only required option', (t) => {
  t.deepEqual(resolveOptions({ storage }), {
    baseUrl: 'http://localhost:4000',
    webUrl: 'http://localhost:4000',
    bodyLimit: 1_048_576,
    rules: { cancellation: 'immediate', agentTimeout: 180_000 },
    cache: { renderings: 67_108_864, lookups: 1_000 },
  });
});

test('base URLs may carry a path, and lose their trailing slashes; people look where programs do unless told otherwise', (t) => {
  t.is(resolveOptions({ storage, baseUrl: 'https://ci.test/api//' }).baseUrl, 'https://ci.test/api');
  t.is(resolveOptions({ storage, baseUrl: 'https://ci.test/api/' }).webUrl, 'https://ci.test/api');
  t.is(
    resolveOptions({ storage, baseUrl: 'https://api.ci.test', webUrl: 'https://ci.test/' }).webUrl,
    'https://ci.test',
  );
});

const mistakes: readonly (readonly [string, unknown])[] = [
  ['an object', undefined],
  ['a storage', { storage: {} }],
  ['baseUrl', { storage, baseUrl: 'ci.test' }],
  ['baseUrl', { storage, baseUrl: 'ftp://ci.test' }],
  ['baseUrl', { storage, baseUrl: 'https://ci.test/?a=1' }],
  ['webUrl', { storage, webUrl: 'https://ci.test/#top' }],
  ['bodyLimit', { storage, bodyLimit: 0 }],
  ['bodyLimit', { storage, bodyLimit: Number.NaN }],
  ['agentTimeout', { storage, agentTimeout: Number.POSITIVE_INFINITY }],
  ['cancellation', { storage, cancellation: 'never' }],
  ['cache.renderings', { storage, cache: { renderings: -1 } }],
  ['cache.renderings', { storage, cache: { renderings: Number.POSITIVE_INFINITY } }],
  ['cache.lookups', { storage, cache: { lookups: 1_001 } }],
  ['cache.lookups', { storage, cache: { lookups: '1' } }],
  ['cache.lookup', { storage, cache: { lookup: 1 } }],
  ['agentsLostAfter', { storage, agentsLostAfter: 180 }],
  ['authenticator', { storage, authenticator: () => undefined }],
];

test('an invalid option is an error that names it', (t) => {
  for (const [name, options] of mistakes) {
    const error = t.throws(() => resolveOptions(options as ApiOptions), { instanceOf: TypeError });
    t.true(error?.message.includes(name), error?.message);
  }
});

test('by default unexpected errors are logged to the console, and expected ones are not', (t) => {
  const { error } = console;
  const told: unknown[] = [];
  console.error = (...parts) => told.push(...parts);
  try {
    const broken = new Error('broken');
    reportToConsole(broken);
    reportToConsole(errors.storageUnavailable({ seconds: 1 }));
    t.deepEqual(told, [broken]);
  } finally {
    console.error = error;
  }
});
