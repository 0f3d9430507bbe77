import test from 'ava';
import fc from 'fast-check';
import { httpOptionChecks, inProcessOptionChecks } from '../adapters/client/client.js';
import { type ClientOptions, createClient } from '../adapters/client/index.js';
import { docsPage } from '../adapters/docs/index.js';
import { fakeService } from '../adapters/fake/index.js';
import { fetchHandler } from '../adapters/fetch/index.js';
import { serveFetch } from '../adapters/fetch/serve.js';
import { prefixCheck } from '../adapters/http-shared/prefix-option.js';
import { knexOptionChecks } from '../adapters/knex/check-options.js';
import { type KnexOptions, knexStorage } from '../adapters/knex/index.js';
import { koaMiddleware, serveKoa } from '../adapters/koa/index.js';
import { memoryStorage } from '../adapters/memory/index.js';
import { nodeHandler, serve, serveListener } from '../adapters/node/index.js';
import { listenOptionChecks, serveOptionChecks } from '../adapters/node/serve-options.js';
import { scaledRuns, seed } from '../conformance/property-settings.js';
import { stubApi } from '../test/support/stub-api.js';
import { type ApiOptions, createApi } from './index.js';
import { openApiDocument } from './openapi.js';
import { apiOptionChecks } from './options.js';
import { checkOptions, integerFrom, nested, type OptionChecks, text } from './options-check.js';

const api = stubApi();
const { clock, ids, container, ...fakeChecks } = apiOptionChecks;

/** A public function with options: its name, a call that is right, and the options that it has. */
interface Subject {
  readonly name: string;
  readonly valid: Readonly<Record<string, unknown>>;
  readonly checks: OptionChecks;
  call(options: never): unknown;
}

const subjects: readonly Subject[] = [
  {
    name: 'createApi',
    valid: { storage: memoryStorage() },
    checks: apiOptionChecks,
    call: (options: ApiOptions) => createApi(options),
  },
  {
    name: 'knexStorage',
    valid: { client: 'sqlite', filename: ':memory:' },
    checks: knexOptionChecks.sqlite,
    call: (options: KnexOptions) => knexStorage(options),
  },
  {
    name: 'knexStorage',
    valid: { client: 'postgres', connection: 'postgres://127.0.0.1:1/none' },
    checks: knexOptionChecks.postgres,
    call: (options: KnexOptions) => knexStorage(options),
  },
  { name: 'nodeHandler', valid: {}, checks: prefixCheck, call: (options) => nodeHandler(api, options) },
  { name: 'koaMiddleware', valid: {}, checks: prefixCheck, call: (options) => koaMiddleware(api, options) },
  {
    name: 'fetchHandler',
    valid: {},
    checks: { ...prefixCheck, remoteAddress: text },
    call: (options) => fetchHandler(api, options),
  },
  { name: 'serve', valid: {}, checks: serveOptionChecks, call: (options) => serve(api, options) },
  { name: 'serveKoa', valid: {}, checks: serveOptionChecks, call: (options) => serveKoa(api, options) },
  { name: 'serveFetch', valid: {}, checks: serveOptionChecks, call: (options) => serveFetch(api, options) },
  { name: 'serveListener', valid: {}, checks: listenOptionChecks, call: (options) => serveListener(() => {}, options) },
  {
    name: 'fakeService',
    valid: {},
    checks: { ...fakeChecks, fixture: text, seed: text, start: text },
    call: (options) => fakeService(options),
  },
  {
    name: 'createClient',
    valid: { url: 'https://ci.test' },
    checks: httpOptionChecks,
    call: (options: ClientOptions) => createClient(options),
  },
  {
    name: 'createClient',
    valid: { api },
    checks: inProcessOptionChecks,
    call: (options: ClientOptions) => createClient(options),
  },
  { name: 'docsPage', valid: {}, checks: { title: text }, call: (options) => docsPage(options) },
  { name: 'openApiDocument', valid: {}, checks: { baseUrl: text }, call: (options) => openApiDocument(options) },
];

/** The message of the error that a call throws or rejects with. */
async function messageOf({ call }: Subject, options: unknown): Promise<string> {
  try {
    await call(options as never);
    return 'no error';
  } catch (error) {
    return error instanceof TypeError ? error.message : `no TypeError: ${String(error)}`;
  }
}

/** One slip of the keyboard: two letters swapped, one lost, one doubled, or a letter in the other case. */
const misspell = (name: string, kind: number, place: number): string => {
  const at = place % (name.length - 1);
  const [before, one, other, after] = [name.slice(0, at), name.charAt(at), name.charAt(at + 1), name.slice(at + 2)];
  const otherCase = one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase();
  return [
    before + other + one + after,
    before + other + after,
    before + one + one + other + after,
    before + otherCase + other + after,
  ][kind] as string;
};

for (const [index, subject] of subjects.entries()) {
  test(`${subject.name} (${index}) refuses every misspelt option by name, and suggests the right one`, async (t) => {
    const names = Object.keys(subject.checks);
    const slip = fc.tuple(fc.constantFrom(...names), fc.nat(3), fc.nat(30));
    await fc.assert(
      fc.asyncProperty(slip, fc.anything(), async ([name, kind, place], value) => {
        const wrong = misspell(name, kind, place);
        if (names.includes(wrong)) return;
        const message = await messageOf(subject, { ...subject.valid, [wrong]: value });
        t.true(message.startsWith(`${subject.name}: unknown option "${wrong}"; did you mean "`), message);
      }),
      { seed, numRuns: scaledRuns(100) },
    );
  });

  test(`${subject.name} (${index}) refuses every option of a wrong type by name, and takes undefined for absent`, async (t) => {
    for (const name of Object.keys(subject.checks)) {
      // Neither a text, a number, a function nor an object with functions: no option accepts it.
      const message = await messageOf(subject, { ...subject.valid, [name]: [Symbol('wrong')] });
      t.true(message.startsWith(`${subject.name}: option "${name}" must be `), message);
      t.true(message.endsWith(', not an array'), message);
    }
    for (const options of [null, 5, 'text', []]) {
      const expected = /: the options must be an object, not /;
      t.regex(await messageOf(subject, options), expected);
    }
  });
}

test('the message has the function, the option and the value', (t) => {
  const checks = { baseUrl: text, port: integerFrom(0, 65_535), cache: nested({ size: integerFrom(0) }) };
  const refused = (options: unknown) =>
    t.throws(() => checkOptions('make', options, checks), { instanceOf: TypeError })?.message;
  t.is(refused({ baseURL: 'x' }), 'make: unknown option "baseURL"; did you mean "baseUrl"?');
  t.is(refused({ somethingElse: 1 }), 'make: unknown option "somethingElse"');
  t.is(refused({ port: '4000' }), 'make: option "port" must be an integer from 0 to 65535, not "4000"');
  t.is(refused({ port: 1.5 }), 'make: option "port" must be an integer from 0 to 65535, not 1.5');
  t.is(refused({ baseUrl: () => {} }), 'make: option "baseUrl" must be a string, not a function');
  t.is(refused({ cache: 5 }), 'make: option "cache" must be an object, not 5');
  t.is(refused({ cache: { sizes: 5 } }), 'make: unknown option "cache.sizes"; did you mean "cache.size"?');
  t.is(
    refused({ port: 'x'.repeat(100) }),
    `make: option "port" must be an integer from 0 to 65535, not "${'x'.repeat(60)}…"`,
  );
  t.is(refused({ constructor: 1 }), 'make: unknown option "constructor"');
  t.notThrows(() => checkOptions('make', { port: undefined }, checks));
});
