import test from 'ava';
import { memoryStorage } from '../adapters/memory/index.js';
import { errors } from './errors/index.js';
import { type ApiOptions, resolveOptions } from './options.js';

const storage = memoryStorage();

test('all that is needed is a storage', (t) => {
  const { onError, ...settings } = resolveOptions({ storage });
  t.deepEqual(settings, {
    baseUrl: 'http://localhost:4000',
    webUrl: 'http://localhost:4000',
    bodyLimit: 1_048_576,
    rules: { cancellation: 'immediate', agentsLostAfter: 180 },
    cache: { renderings: 67_108_864, lookups: 1_000 },
  });
  t.is(typeof onError, 'function');
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
  ['a storage', undefined],
  ['a storage', {}],
  ['a storage', { storage: {} }],
  ['baseUrl', { storage, baseUrl: 'ci.test' }],
  ['baseUrl', { storage, baseUrl: 'ftp://ci.test' }],
  ['baseUrl', { storage, baseUrl: 'https://ci.test/?a=1' }],
  ['webUrl', { storage, webUrl: 'https://ci.test/#top' }],
  ['bodyLimit', { storage, bodyLimit: 0 }],
  ['bodyLimit', { storage, bodyLimit: Number.NaN }],
  ['agentsLostAfter', { storage, agentsLostAfter: Number.POSITIVE_INFINITY }],
  ['cancellation', { storage, cancellation: 'never' }],
  ['cache.renderings', { storage, cache: { renderings: -1 } }],
  ['cache.renderings', { storage, cache: { renderings: Number.POSITIVE_INFINITY } }],
  ['cache.lookups', { storage, cache: { lookups: 1_001 } }],
  ['cache.lookups', { storage, cache: { lookups: '1' } }],
];

test('a mistake in the options is told by its name', (t) => {
  for (const [name, options] of mistakes) {
    const error = t.throws(() => resolveOptions(options as ApiOptions), { instanceOf: TypeError });
    t.true(error?.message.includes(name), error?.message);
  }
});

test('by default, what broke goes to the console and what was meant does not', (t) => {
  const { onError } = resolveOptions({ storage });
  const { error } = console;
  const told: unknown[] = [];
  console.error = (...parts) => told.push(...parts);
  try {
    const broken = new Error('broken');
    onError(broken);
    onError(errors.storageUnavailable({ seconds: 1 }));
    t.deepEqual(told, [broken]);
  } finally {
    console.error = error;
  }
});
