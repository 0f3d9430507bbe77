import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { scopes } from '../../core/model/scopes.js';
import { jsonFileStorage } from '../../examples/templates/json-file-storage.js';
import { failuresIn, runBlackBox, serveApi } from '../../test/support/served-api.js';
import { isGood } from '../runner/index.js';
import { addressOf } from './address.js';
import { blackBoxCases } from './cases/index.js';

/** A storage whose whole contents stand in one file. */
async function storageOnFile(t: ExecutionContext) {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-black-box-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const filename = join(directory, 'all.json');
  return { storage: jsonFileStorage(filename), contents: () => readFile(filename, 'utf8') };
}

test.serial('read only: all that is asked holds, and not a byte of the storage has changed', async (t) => {
  const { storage, contents } = await storageOnFile(t);
  const service = await serveApi(t, { storage });
  const before = await contents();
  const report = await runBlackBox(service, { readOnly: true });
  t.deepEqual(failuresIn(report), []);
  t.true(isGood(report));
  t.is(await contents(), before);
  const skipped = report.results.filter(({ status }) => status === 'Skip');
  t.true(skipped.every(({ reason }) => /leave to write|a token that lacks a scope|may be more/.test(reason ?? '')));
  t.true(report.results.length - skipped.length > 80);
});

test.serial('with leave to write: what was made is gone again, and the rest is as it was', async (t) => {
  const { storage, contents } = await storageOnFile(t);
  const service = await serveApi(t, { storage });
  const before = JSON.parse(await contents());
  const report = await runBlackBox(service);
  t.deepEqual(failuresIn(report), []);
  t.true(report.results.some(({ id, status }) => id === 'black-box.clusters' && status === 'Pass'));
  const after = JSON.parse(await contents());
  t.deepEqual(after.tables, before.tables);
  t.true(after.events.length > before.events.length, 'it was written to');
});

test.serial('builds are made in a pipeline that is named, and canceled again', async (t) => {
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
  const made = await states();
  t.true(made.length > 10);
  t.true(made.every(({ state }) => state === 'canceled'));
});

test.serial('a fresh organization, with nothing in it but an admin', async (t) => {
  const organizations = [{ organization: 'acme', role: 'admin' as const }];
  const fixture = {
    organizations: [{ slug: 'acme' }],
    users: [{ name: 'Ada', email: 'admin@acme.test', organizations }],
    access_tokens: [{ user: 'admin@acme.test' }],
  };
  const report = await runBlackBox(await serveApi(t, { fixture }));
  t.deepEqual(failuresIn(report), []);
  const { reason } = report.results.find(({ id }) => id === 'black-box.answers.agents.get') ?? {};
  t.is(reason, 'needs some agent to look at');
});

test.serial('below a path, with a slash at the end of the URL', async (t) => {
  const service = await serveApi(t, { prefix: '/ci/api' });
  t.deepEqual(failuresIn(await runBlackBox(service, { url: `${service.url}/`, readOnly: true })), []);
});

test.serial(
  'a token with some scopes: what it may not do is skipped by name, and that it may not is tested',
  async (t) => {
    const service = await serveApi(t);
    const user = 'admin@acme.test';
    const { token } = await service.api.host.accessTokens.issue({ user, scopes: ['read_agents', 'write_clusters'] });
    const report = await runBlackBox(service, { token });
    t.deepEqual(failuresIn(report), []);
    const of = (id: string) => report.results.find((result) => result.id === `black-box.${id}`);
    t.is(of('missing-scope')?.status, 'Pass');
    t.is(of('answers.agents.list')?.status, 'Pass');
    t.is(of('clusters')?.reason, 'needs the scope read_clusters');
    const none = await service.api.host.accessTokens.issue({ user, scopes: [] });
    t.deepEqual(failuresIn(await runBlackBox(service, { token: none.token })), []);
  },
);

const redirectTo = (location: string) => ({
  before: (_: unknown, response: import('node:http').ServerResponse) => {
    response.writeHead(308, { location }).end();
    return true;
  },
});

test.serial('what is wrong with the address or the token is an error in clear words, and no failure', async (t) => {
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
  const rows: readonly (readonly [asking: Parameters<typeof runBlackBox>[1], said: RegExp])[] = [
    [{ url: 'http://127.0.0.1:1' }, /^Nobody answers at http:\/\/127\.0\.0\.1:1: the connection was refused$/],
    [
      { url: 'http://nobody.invalid' },
      /^Nobody answers at http:\/\/nobody\.invalid: (there is no such host|the name of)/,
    ],
    [{ url: `https://127.0.0.1:${port}` }, /^Nobody answers at https:.*: it does not speak TLS$/],
    [{ url: page.url }, /is not the root of such an API: it answered 200 without a message/],
    [{ url: moved.url }, /sends on to https:\/\/ci\.test\/ \(308\): give the address where the API itself is$/],
    [{ url: `${service.url}/wrong/` }, /\/wrong\/ is not the root of such an API: it answered 404 without/],
    [{ url: below.url.replace('/ci', '') }, /If the API stands below a path, that path belongs to the URL$/],
    [{ token: 'nobody' }, /does not take the token: it answered 401$/],
    [{ organization: 'rivals' }, /^There is no organization rivals at .*, or the token is not for it$/],
    [{ organization: 'a/b?c' }, /^There is no organization a\/b\?c at/],
  ];
  for (const [options, expectedMessage] of rows) {
    const { results } = await runBlackBox(service, options);
    t.is(results[0]?.status, 'Error', String(expectedMessage));
    t.regex(results[0]?.fault?.message ?? '', expectedMessage);
    t.true(results.slice(1).every(({ status }) => status === 'NotReached'));
  }
});

test('addresses', (t) => {
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

test('every case has a name of its own, and says which clauses it checks and what it needs', (t) => {
  t.is(new Set(blackBoxCases.map(({ id }) => id)).size, blackBoxCases.length);
  for (const { id, cites, needs = [] } of blackBoxCases) {
    t.regex(cites, /^(spec|decisions) \d/, id);
    const known =
      /^(leave to write|a pipeline whose builds may be more|a token that lacks a scope|some [a-z ]+ to look at)$/;
    for (const need of needs) t.true(known.test(need) || scopes.some((scope) => need === `the scope ${scope}`), need);
  }
});
