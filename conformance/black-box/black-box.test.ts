import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { jsonFileStorage } from '../../examples/templates/json-file-storage.js';
import { failuresIn, runBlackBox, serveApi } from '../../test/support/served-api.js';
import { scopes } from '../api/index.js';
import { isGood } from '../runner/index.js';
import { addressOf } from './address.js';
import { blackBoxCases } from './cases/index.js';

/** A storage that keeps all of its contents in one file, so that a test can compare them byte by byte. */
async function storageOnFile(t: ExecutionContext) {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-black-box-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const filename = join(directory, 'all.json');
  return { storage: jsonFileStorage(filename), contents: () => readFile(filename, 'utf8') };
}

test.serial('a read-only run passes and changes no byte of the storage', async (t) => {
  const { storage, contents } = await storageOnFile(t);
  const service = await serveApi(t, { storage });
  const before = await contents();
  const report = await runBlackBox(service, { readOnly: true });
  t.deepEqual(failuresIn(report), []);
  t.true(isGood(report));
  t.is(await contents(), before);
  const skipped = report.results.filter(({ status }) => status === 'Skip');
  t.true(
    skipped.every(({ reason }) =>
      /write access|a token without some scope|a pipeline for test builds/.test(reason ?? ''),
    ),
  );
  t.true(report.results.length - skipped.length > 80);
});

test.serial('a run with write access deletes what it created and leaves all other records unchanged', async (t) => {
  const { storage, contents } = await storageOnFile(t);
  const service = await serveApi(t, { storage });
  const before = JSON.parse(await contents());
  const report = await runBlackBox(service);
  t.deepEqual(failuresIn(report), []);
  t.true(report.results.some(({ id, status }) => id === 'black-box.clusters' && status === 'Pass'));
  const after = JSON.parse(await contents());
  t.deepEqual(after.tables, before.tables);
  t.true(after.events.length > before.events.length, 'the run wrote to the storage');
});

test.serial('a run with a pipeline creates builds in it and cancels them', async (t) => {
  const service = await serveApi(t);
  const states = async () => {
    const headers = { authorization: `Bearer ${service.tokens['admin@acme.test']}` };
    const response = await fetch(`${service.url}/v2/builds?per_page=100`, { headers });
    return ((await response.json()) as { state: string; branch: string }[]).filter(({ branch }) =>
      branch.startsWith('millrace-conformance-'),
    );
  };
  const report = await runBlackBox(service, { pipeline: 'deploy' });
  t.deepEqual(failuresIn(report), []);
  const createdBuilds = await states();
  t.true(createdBuilds.length > 10);
  t.true(createdBuilds.every(({ state }) => state === 'canceled'));
});

test.serial('a run passes on a new organization that has only an admin', async (t) => {
  const organizations = [{ organization: 'acme', role: 'admin' as const }];
  const fixture = {
    organizations: [{ slug: 'acme' }],
    users: [{ name: 'Ada', email: 'admin@acme.test', organizations }],
    access_tokens: [{ user: 'admin@acme.test' }],
  };
  const report = await runBlackBox(await serveApi(t, { fixture }));
  t.deepEqual(failuresIn(report), []);
  const { reason } = report.results.find(({ id }) => id === 'black-box.answers.agents.get') ?? {};
  t.is(reason, 'needs an existing agent');
});

test.serial('a run passes below a path prefix, with a slash at the end of the URL', async (t) => {
  const service = await serveApi(t, { prefix: '/ci/api' });
  t.deepEqual(failuresIn(await runBlackBox(service, { url: `${service.url}/`, readOnly: true })), []);
});

test.serial(
  'with a token that has some scopes, cases that need others are skipped, and the refusals are tested',
  async (t) => {
    const service = await serveApi(t);
    const user = 'admin@acme.test';
    const { token } = await service.api.runtime.accessTokens.issue({ user, scopes: ['read_agents', 'write_clusters'] });
    const report = await runBlackBox(service, { token });
    t.deepEqual(failuresIn(report), []);
    const of = (id: string) => report.results.find((result) => result.id === `black-box.${id}`);
    t.is(of('missing-scope')?.status, 'Pass');
    t.is(of('answers.agents.list')?.status, 'Pass');
    t.is(of('clusters')?.reason, 'needs the scope read_clusters');
    const none = await service.api.runtime.accessTokens.issue({ user, scopes: [] });
    t.deepEqual(failuresIn(await runBlackBox(service, { token: none.token })), []);
  },
);

const redirectTo = (location: string) => ({
  before: (_: unknown, response: import('node:http').ServerResponse) => {
    response.writeHead(308, { location }).end();
    return true;
  },
});

test.serial('a wrong address or token is reported as an error with a clear message, not as a failure', async (t) => {
  const service = await serveApi(t);
  const page = await serveApi(t, {
    before: (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>');
      return true;
    },
  });
  const moved = await serveApi(t, redirectTo('https://ci.test/'));
  const below = await serveApi(t, { prefix: '/ci' });
  const { port } = service;
  const rows: readonly (readonly [options: Parameters<typeof runBlackBox>[1], expectedMessage: RegExp])[] = [
    [{ url: 'http://127.0.0.1:1' }, /^No connection to http:\/\/127\.0\.0\.1:1: the connection was refused$/],
    [
      { url: 'http://nobody.invalid' },
      /^No connection to http:\/\/nobody\.invalid: (the host name does not exist|the lookup of)/,
    ],
    [{ url: `https://127.0.0.1:${port}` }, /^No connection to https:.*: the server does not speak TLS$/],
    [{ url: page.url }, /is not the root of this API: it answered 200 without a message/],
    [{ url: moved.url }, /redirects to https:\/\/ci\.test\/ \(308\): give the URL of the API itself$/],
    [{ url: `${service.url}/wrong/` }, /\/wrong\/ is not the root of this API: it answered 404 without/],
    [{ url: below.url.replace('/ci', '') }, /If the API is mounted below a path, add that path to the URL$/],
    [{ token: 'nobody' }, /rejects the token: it answered 401$/],
    [{ organization: 'rivals' }, /^The organization rivals does not exist at .*, or the token has no access to it$/],
    [{ organization: 'a/b?c' }, /^The organization a\/b\?c does not exist at/],
  ];
  for (const [options, expectedMessage] of rows) {
    const { results } = await runBlackBox(service, options);
    t.is(results[0]?.status, 'Error', String(expectedMessage));
    t.regex(results[0]?.fault?.message ?? '', expectedMessage);
    t.true(results.slice(1).every(({ status }) => status === 'NotReached'));
  }
});

test('addressOf takes http and https URLs without user, query or fragment', (t) => {
  t.like(addressOf('https://ci.test/api/'), { base: 'https://ci.test/api', prefix: '/api', host: 'ci.test' });
  t.like(addressOf('http://127.0.0.1:80'), { base: 'http://127.0.0.1', prefix: '', host: '127.0.0.1' });
  t.like(addressOf('http://[::1]:4000/'), { base: 'http://[::1]:4000', host: '[::1]:4000' });
  for (const text of [
    '',
    'ci.test',
    'ftp://ci.test',
    'http://a:b@ci.test',
    'http://ci.test?a',
    'http://ci.test#a',
    'http://',
  ])
    t.is(addressOf(text), undefined, text);
});

test('every case has a unique id, cites its clauses, and has known needs', (t) => {
  t.is(new Set(blackBoxCases.map(({ id }) => id)).size, blackBoxCases.length);
  for (const { id, cites, needs = [] } of blackBoxCases) {
    t.regex(cites, /^(spec|decisions) \d/, id);
    const known = /^(write access|a pipeline for test builds|a token without some scope|an existing [a-z ]+)$/;
    for (const need of needs) t.true(known.test(need) || scopes.some((scope) => need === `the scope ${scope}`), need);
  }
});
