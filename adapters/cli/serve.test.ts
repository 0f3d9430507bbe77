import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { formatToken } from '../../core/index.js';
import { buildStates, wireState } from '../../core/machines/index.js';
import { startServer, startServerOnPort, temporaryDirectory, waitUntil } from '../../test/support/cli-process.js';
import { organization } from './demo/summary.js';

const web = `/v2/organizations/${organization}/pipelines/web/builds`;
const build = { commit: 'HEAD', branch: 'main', message: 'Made by a test' };

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
  t.true(new Set(builds.map((one: { creator: { id: string } }) => one.creator.id)).size >= 5);
  t.true(builds.some((one: { jobs: { retried: boolean }[] }) => one.jobs.some(({ retried }) => retried)));
  t.true(builds[0].url.startsWith(`${ready.url}/v2/`), 'addresses in answers are those that are served');
  const { body: agents } = await service.request(`/v2/organizations/${organization}/agents?per_page=100`);
  t.true(agents.some(({ job }: { job: unknown }) => job === null));
  t.true(agents.some(({ job }: { job: unknown }) => job !== null));

  const { code } = await service.stop();
  t.is(code, 0);
  t.is(service.output().stdout, `${JSON.stringify(ready)}\n`);
  t.is(service.output().stderr, '');
  t.deepEqual(await readdir(cwd), ['millrace.db'], 'neither a log nor a draft is left');
});

test('serve: what was made is there after a restart, and the demo is not loaded twice', async (t) => {
  const cwd = await temporaryDirectory(t);
  const first = await startServer(t, cwd, '--no-simulate');
  const made = await first.request(web, { body: build });
  t.is(made.status, 201);
  await first.stop();

  const second = await startServer(t, cwd, '--no-simulate');
  const found = await second.request(`${web}/${made.body.number}`);
  t.is(found.status, 200);
  t.is(found.body.id, made.body.id);
  t.is(second.ready.team_id, first.ready.team_id);
  t.is(second.ready.suite_id, first.ready.suite_id);
  const { body: builds } = await second.request(`${web}?per_page=100`);
  t.is(builds.length, made.body.number);
  t.regex(second.output().stderr, /^The demo is in the storage already/);
  t.not(second.ready.token, first.ready.token);
  await second.stop();
});

test('serve: the token of a start takes the place of the one before, at the same address', async (t) => {
  const cwd = await temporaryDirectory(t);
  const first = await startServer(t, cwd, '--no-simulate');
  await first.stop();
  const second = await startServer(t, cwd, '--no-simulate');
  t.is((await second.request('/v2/user', { token: first.ready.token })).status, 200, 'another port has its own');
  const { port } = new URL(second.ready.url);
  await second.stop();
  const third = await startServerOnPort(t, cwd, port, '--no-simulate');
  t.is((await third.request('/v2/user')).status, 200);
  t.is((await third.request('/v2/user', { token: second.ready.token })).status, 401);
  await third.stop();
});

test('serve: addresses behind a proxy, and a token that the fixture brings along', async (t) => {
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
    const [made] = /mra_\w+/.exec(service.output().stderr) ?? [];
    if (made) t.is((await service.request('/v2/user', { token: made })).status, 200);
    t.is(made !== undefined, start === 'first', 'a token that was made for a record is told once');
    await service.stop();
  }
});

test('serve: a simulated build passes, and what stands out in the demo stays', async (t) => {
  const cwd = await temporaryDirectory(t);
  const service = await startServer(t, cwd, '--storage', 'memory');
  const before = await statesOf(service);
  const made = await service.request(web, { body: build });
  const seen = new Set<string>([made.body.state]);
  const started = performance.now();
  await waitUntil('passed', async () => {
    const { body } = await service.request(`${web}/${made.body.number}`);
    seen.add(body.state);
    return body.state === 'passed';
  });
  t.log(`passed after ${((performance.now() - started) / 1_000).toFixed(1)} s`);
  t.deepEqual([...seen], ['scheduled', 'running', 'passed']);
  const after = await statesOf(service);
  after.delete(`web/${made.body.number}`);
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
