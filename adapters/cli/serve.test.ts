import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { formatToken } from '../../core/index.js';
import { buildStates, wireState } from '../../core/machines/index.js';
import { startServer, startServerOnPort, temporaryDirectory, waitUntil } from '../../test/support/cli-process.js';
import { organization } from './demo/summary.js';

const web = `/v2/organizations/${organization}/pipelines/web/builds`;
const build = { commit: 'HEAD', branch: 'main', message: 'Created by a test' };

test('serve: one line of JSON, and a demo with every state', async (t) => {
  const cwd = await temporaryDirectory(t);
  const service = await startServer(t, cwd, '--no-simulate');
  const { ready } = service;
  t.deepEqual(Object.keys(ready), ['url', 'token', 'organization', 'pipeline', 'suite', 'suite_id', 'team_id']);
  t.like(ready, { organization, pipeline: 'web', suite: 'web-tests' });
  for (const state of [...new Set(buildStates.map(wireState)), 'blocked']) {
    const { status, body } = await service.request(`/v2/builds?state=${state}`);
    t.is(status, 200);
    t.true(body.length > 0, state);
  }
  const { body: builds } = await service.request('/v2/builds?per_page=100&include_retried_jobs=true');
  t.true(builds.length >= 60);
  t.true(new Set(builds.map((item: { creator: { id: string } }) => item.creator.id)).size >= 5);
  t.true(builds.some((item: { jobs: { retried: boolean }[] }) => item.jobs.some(({ retried }) => retried)));
  t.true(builds[0].url.startsWith(`${ready.url}/v2/`), 'URLs in responses have the address of the server');
  const { body: agents } = await service.request(`/v2/organizations/${organization}/agents?per_page=100`);
  t.true(agents.some(({ job }: { job: unknown }) => job === null));
  t.true(agents.some(({ job }: { job: unknown }) => job !== null));

  const { code } = await service.stop();
  t.is(code, 0);
  t.is(service.output().stdout, `${JSON.stringify(ready)}\n`);
  t.is(service.output().stderr, '');
  t.deepEqual(await readdir(cwd), ['millrace.db'], 'no other files are left');
});

test('serve: new builds survive a restart, and the demo is not loaded twice', async (t) => {
  const cwd = await temporaryDirectory(t);
  const first = await startServer(t, cwd, '--no-simulate');
  const created = await first.request(web, { body: build });
  t.is(created.status, 201);
  await first.stop();

  const second = await startServer(t, cwd, '--no-simulate');
  const found = await second.request(`${web}/${created.body.number}`);
  t.is(found.status, 200);
  t.is(found.body.id, created.body.id);
  t.is(second.ready.team_id, first.ready.team_id);
  t.is(second.ready.suite_id, first.ready.suite_id);
  const { body: builds } = await second.request(`${web}?per_page=100`);
  t.is(builds.length, created.body.number);
  t.regex(second.output().stderr, /^The demo is already in the storage/);
  t.not(second.ready.token, first.ready.token);
  await second.stop();
});

test('serve: each start replaces the token of the previous start at the same address', async (t) => {
  const cwd = await temporaryDirectory(t);
  const first = await startServer(t, cwd, '--no-simulate');
  await first.stop();
  const second = await startServer(t, cwd, '--no-simulate');
  t.is((await second.request('/v2/user', { token: first.ready.token })).status, 200, 'each port has its own token');
  const { port } = new URL(second.ready.url);
  await second.stop();
  const third = await startServerOnPort(t, cwd, port, '--no-simulate');
  t.is((await third.request('/v2/user')).status, 200);
  t.is((await third.request('/v2/user', { token: second.ready.token })).status, 401);
  await third.stop();
});

test('serve: --base-url in responses, and a token of the fixture', async (t) => {
  const cwd = await temporaryDirectory(t);
  const token = formatToken('mra', '0'.repeat(30));
  const member = { organization: 'beta', role: 'admin' };
  const fixture = {
    organizations: [{ slug: 'beta' }],
    users: [{ name: 'Bo', email: 'bo@beta.example', organizations: [member] }],
    access_tokens: [{ user: 'bo@beta.example', token }, { user: 'bo@beta.example' }],
    pipelines: [{ organization: 'beta', slug: 'p', repository: 'git@git.example:p.git' }],
    builds: [{ organization: 'beta', pipeline: 'p', commit: 'HEAD', branch: 'main' }],
  };
  await writeFile(join(cwd, 'beta.json'), JSON.stringify(fixture));
  for (const start of ['first', 'second']) {
    const service = await startServer(t, cwd, '--fixture', 'beta.json', '--base-url', 'https://ci.example.com/api/');
    t.like(service.ready, { token, organization: 'beta', pipeline: 'p', suite: null, suite_id: null, team_id: null });
    const { body } = await service.request('/v2/builds');
    t.is(body[0].url, 'https://ci.example.com/api/v2/organizations/beta/pipelines/p/builds/1');
    const [generated] = /mra_\w+/.exec(service.output().stderr) ?? [];
    if (generated) t.is((await service.request('/v2/user', { token: generated })).status, 200);
    t.is(generated !== undefined, start === 'first', 'a generated token is printed once');
    await service.stop();
  }
});

test('serve: a simulated build passes, and the builds of the demo keep their states', async (t) => {
  const cwd = await temporaryDirectory(t);
  const service = await startServer(t, cwd, '--storage', 'memory');
  const before = await statesOf(service);
  const created = await service.request(web, { body: build });
  const seen = new Set<string>([created.body.state]);
  const started = performance.now();
  await waitUntil('passed', async () => {
    const { body } = await service.request(`${web}/${created.body.number}`);
    seen.add(body.state);
    return body.state === 'passed';
  });
  t.log(`passed after ${((performance.now() - started) / 1_000).toFixed(1)} s`);
  t.deepEqual([...seen], ['scheduled', 'running', 'passed']);
  const after = await statesOf(service);
  after.delete(`web/${created.body.number}`);
  t.deepEqual(after, before);
  t.is((await service.stop('SIGINT')).code, 0);
  t.is(service.output().stderr, '');
  t.deepEqual(await readdir(cwd), []);
});

async function statesOf(service: Awaited<ReturnType<typeof startServer>>): Promise<Map<string, string>> {
  const { body } = await service.request('/v2/builds?per_page=100');
  type Build = { pipeline: { slug: string }; number: number; state: string; jobs: { state: string }[] };
  return new Map(
    body.map(({ pipeline, number, state, jobs }: Build) => [
      `${pipeline.slug}/${number}`,
      [state, ...jobs.map((job) => job.state)].join(' '),
    ]),
  );
}
