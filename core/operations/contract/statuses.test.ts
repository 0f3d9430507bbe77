import { readdirSync, readFileSync } from 'node:fs';
import test from 'ava';
import { fakeService, type SendOptions, type SendRequest } from '../../../adapters/fake/index.js';
import { organizationFixture } from '../../../conformance/service/fixture.js';
import { catalogue } from '../../errors/index.js';
import { operations } from '../index.js';
import type { Operation } from './operation.js';
import { serverErrorStatuses, statusesOf } from './statuses.js';

const bodyLimit = 100;

/** A service with a record for every name that stands in a path. */
async function furnished() {
  const service = await fakeService({ fixture: organizationFixture('acme'), bodyLimit });
  const of = async (path: string) => (await service.request('GET', `/v2/organizations/acme${path}`)).body[0];
  const cluster = (await of('/clusters')).id;
  const team = (await of('/teams')).id;
  const records: Record<string, string> = {
    organization: 'acme',
    pipeline: 'web',
    build: '1',
    suite: 'acme-suite',
    cluster,
    team,
    agent: (await of('/agents')).id,
    queue: (await of(`/clusters/${cluster}/queues`)).id,
    agentToken: (await of(`/clusters/${cluster}/tokens`)).id,
    teamSuite: (await of(`/teams/${team}/suites`)).suite_id,
    teamPipeline: (await of(`/teams/${team}/pipelines`)).pipeline_id,
  };
  const target = (path: string, changes: Record<string, string> = {}) =>
    path.replace(/\{(\w+)\}/g, (_, name) => ({ ...records, ...changes })[name] ?? `no ${name}`);
  const { token: unscoped } = await service.api.runtime.accessTokens.issue({ user: 'admin@acme.test', scopes: [] });
  return { service, target, unscoped };
}

/** Ways to bring about a status, whatever the operation is, and without changing anything. */
const attempts = (
  { method, path }: Operation,
  { target, unscoped }: Awaited<ReturnType<typeof furnished>>,
): Record<number, (send: SendRequest) => ReturnType<SendRequest>> => {
  const send =
    (to: string, options: SendOptions = {}) =>
    (request: SendRequest) =>
      request(method, to, options);
  return {
    400: send(`${target(path)}?%`),
    401: send(target(path), { token: 'mra_unknown' }),
    403: send(target(path), { token: unscoped, body: '[]' }),
    404: send(target(path, { organization: 'none' }), { body: '[]' }),
    413: send(target(path), { body: ' '.repeat(bodyLimit + 1) }),
    415: send(target(path), { body: '{}', headers: { 'content-type': 'text/plain' } }),
  };
};

test('what can happen to any operation happens to those that say so, and to no other', async (t) => {
  const place = await furnished();
  const { request } = place.service;
  for (const operation of operations) {
    const declared = statusesOf(operation);
    for (const [status, attempt] of Object.entries(attempts(operation, place))) {
      // Without a scope to lack, this one would revoke the token that lacks it.
      if (operation.id === 'accessToken.revoke' && status === '403') continue;
      const answer = await attempt(request);
      const what = `${operation.id} ${status}: ${JSON.stringify(answer.body)}`;
      t.is(declared.includes(Number(status)), answer.status === Number(status), what);
      t.true(declared.includes(answer.status), what);
    }
  }
  await place.service.close();
});

test('a body that is wrong is 422 where something is read of it', async (t) => {
  const place = await furnished();
  for (const operation of operations) {
    if (operation.form !== 'command' || operation.id === 'accessToken.revoke') continue;
    const fields = Object.keys(operation.body?.properties ?? {});
    if (fields.length === 0) continue;
    const body = Object.fromEntries(fields.slice(0, 5).map((field) => [field, [[]]]));
    const answer = await place.service.request(operation.method, place.target(operation.path), { body });
    t.is(answer.status, 422, `${operation.id}: ${JSON.stringify(answer.body)}`);
    t.true(statusesOf(operation).includes(422));
  }
  await place.service.close();
});

test('the success comes first, and statuses come once', (t) => {
  for (const operation of operations) {
    const statuses = statusesOf(operation);
    t.deepEqual(
      [...new Set(statuses)].sort((a, b) => a - b),
      [...statuses],
      operation.id,
    );
    t.true((statuses[0] ?? 0) < 300);
    t.true(statuses.includes(serverErrorStatuses[0] ?? 0));
  }
});

test('the errors that operations declare are those that their files make', (t) => {
  const everywhere = /^(unauthenticated|conflict|\w+NotFound)$/;
  const made = readdirSync('core/operations', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.includes('contract/') && !path.endsWith('.test.ts'))
    .map((path) => readFileSync(`core/operations/${path}`, 'utf8'))
    .flatMap((text) => [...text.matchAll(/\berrors\.(\w+)/g)].map(([, name]) => name as keyof typeof catalogue))
    .filter((name) => !everywhere.test(name))
    .map((name) => catalogue[name].code);
  const declared = operations.flatMap((operation) => operation.errors ?? []);
  t.deepEqual([...new Set(declared)].sort(), [...new Set(made)].sort());
});
