import test from 'ava';
import { formatToken } from '../auth/token-format.js';
import type { Fixture } from '../index.js';
import { baseFixture, emptyService, now, serviceWithFixture } from './_fixture-service.test.js';

const web = { organization: 'acme', pipeline: 'web', commit: 'abc', branch: 'main' } as const;

test('what is left out is filled in', async (t) => {
  const { loaded, get } = await serviceWithFixture(baseFixture);
  t.is(loaded.teams[0]?.slug, 'the-builders');
  const [build] = await get('/v2/organizations/acme/builds');
  t.like(build, { number: 1, state: 'running', blocked: false, source: 'api', message: null, created_at: now });
  t.like(build, { scheduled_at: now, started_at: now, finished_at: null, env: {}, author: null });
  t.is(build.pipeline.default_branch, 'main');
  const [made, barrier, first, second] = build.jobs;
  t.like(made, { name: 'Build', command: 'make', state: 'running', started_at: now, finished_at: null });
  t.is(made.agent.name, 'one');
  t.is(made.cluster_queue_id, loaded.queues[0]?.id);
  t.like(barrier, { type: 'waiter', state: 'waiting', cluster_queue_id: null });
  t.like(first, { parallel_group_index: 0, parallel_group_total: 2, cluster_queue_id: loaded.queues[1]?.id });
  t.is(second.parallel_group_index, 1);
  const agents = await get('/v2/organizations/acme/agents');
  t.deepEqual(
    agents.map((agent: { name: string; job: { id: string } | null }) => [agent.name, agent.job?.id]),
    [
      ['two', undefined],
      ['one', made.id],
    ],
  );
});

test('fields of the document are in the responses unchanged', async (t) => {
  const job = {
    id: '0190a000-0000-7000-8000-000000000001',
    state: 'failed',
    name: 'Odd one',
    command: 'false',
    exit_status: 7,
    soft_failed: true,
    agent: 'two',
    matrix: { os: 'linux' },
    created_at: '2025-01-01T00:00:01.000Z',
    scheduled_at: null,
    runnable_at: '2025-01-01T00:00:02.000Z',
    started_at: '2025-01-01T00:00:03.000Z',
    finished_at: '2025-01-01T00:00:04.000Z',
  } as const;
  const build = {
    id: '0190A000-0000-7000-8000-00000000000F',
    number: 41,
    state: 'canceled',
    cancel_reason: 'no more',
    message: 'Größe 🚀',
    env: { A: 'b', __x: '' },
    source: 'webhook',
    author: { name: 'Grace', email: 'grace@acme.test' },
    meta_data: { 'a b': 'c' },
    pull_request: { id: '12', base: 'main', repository: 'fork' },
    created_at: '2025-01-01',
    started_at: '2025-01-01T02:00:00+02:00',
  } as const;
  const { get } = await serviceWithFixture({ ...baseFixture, builds: [{ ...web, ...build, jobs: [job] }] });
  const shown = await get('/v2/organizations/acme/pipelines/web/builds/41');
  t.like(shown, {
    ...build,
    id: build.id.toLowerCase(),
    created_at: '2025-01-01T00:00:00.000Z',
    started_at: '2025-01-01T00:00:00.000Z',
    finished_at: job.finished_at,
  });
  const { agent, ...fields } = job;
  t.like(shown.jobs[0], fields);
  t.is(shown.jobs[0].agent.name, agent);
});

test('a retried job keeps its place, and is left out unless it is asked for', async (t) => {
  const again = '0190a000-0000-7000-8000-000000000002';
  const builds: Fixture['builds'] = [
    {
      ...web,
      state: 'failed',
      jobs: [
        { step_key: 'build', state: 'failed', retried_in_job_id: again },
        { id: again, step_key: 'build', state: 'failed' },
        { type: 'waiter', state: 'waiting_failed' },
      ],
    },
  ];
  const { get } = await serviceWithFixture({ ...baseFixture, builds });
  const path = '/v2/organizations/acme/pipelines/web/builds/1';
  t.is((await get(path)).jobs.length, 2);
  const [first, second, barrier] = (await get(`${path}?include_retried_jobs=true`)).jobs;
  t.like(first, { retried: true, retried_in_job_id: again, retry_type: 'manual', exit_status: 1 });
  t.like(second, {
    id: again,
    retried: false,
    retries_count: 1,
    retry_source: { job_id: first.id, retry_type: 'manual' },
  });
  t.is(first.step.id, second.step.id);
  t.is(barrier.type, 'waiter');
});

test('numbers go on above those that are given, in the document and after it', async (t) => {
  const { api, loaded } = await serviceWithFixture({
    ...baseFixture,
    builds: [web, { ...web, number: 12 }, web, { ...web, number: 3, rebuilt_from: { number: 12 } }],
  });
  t.deepEqual(
    loaded.builds.map(({ number }) => number),
    [13, 12, 14, 3],
  );
  t.is((await api.provision.build(web)).number, 15);
  t.is((await api.provision.build({ ...web, number: 40 })).number, 40);
  t.is((await api.provision.build(web)).number, 41);
  await t.throwsAsync(api.provision.build({ ...web, number: 12 }), {
    message: /builds\[0\]\.number: the pipeline has a build 12 already/,
  });
  t.is((await api.provision.build(web)).number, 42, 'a refused build takes no number');
});

test('concurrent loads never use a number twice', async (t) => {
  const { api } = await serviceWithFixture({ ...baseFixture, builds: [] });
  const loads = await Promise.all(Array.from({ length: 8 }, () => api.load({ builds: [web, web, web, web] })));
  const numbers = loads.flatMap(({ builds }) => builds.map(({ number }) => number));
  t.is(new Set(numbers).size, 32);
});

test('a document may refer to records of an earlier one', async (t) => {
  const { api, get } = await serviceWithFixture(baseFixture);
  const at = { organization: 'acme' } as const;
  await api.provision.user({ name: 'Bo', email: 'bo@acme.test', organizations: [at] });
  const token = formatToken('mra', 'bo'.padEnd(30, '0'));
  t.is((await api.provision.accessToken({ user: 'bo@acme.test', organizations: ['acme'], token })).token, token);
  await api.provision.cluster({ ...at, name: 'Mac' });
  const queue = await api.provision.queue({ ...at, cluster: 'Mac', key: 'xcode', default: true });
  await api.provision.agentToken({ ...at, cluster: 'Mac', description: 'Macs' });
  await api.provision.pipeline({ ...at, slug: 'ios', repository: 'r', cluster: 'Mac' });
  await api.provision.suite({ ...at, slug: 'ui' });
  await api.provision.team({ ...at, name: 'Mobile', suites: [{ suite: 'unit', access_level: ['read'] }] });
  const agent = await api.provision.agent({ ...at, cluster: 'Mac', name: 'mini' });
  await api.provision.build({
    ...web,
    pipeline: 'ios',
    state: 'running',
    jobs: [{ state: 'running', agent: agent.id }],
  });
  const [build] = await get('/v2/organizations/acme/pipelines/ios/builds');
  t.is(build.jobs[0].cluster_queue_id, queue.id);
  t.is(build.jobs[0].agent.name, 'mini');
  t.is((await get(`/v2/organizations/acme/agents/${agent.id}`)).job.id, build.jobs[0].id);
});

test('agents of a fixture take jobs of a fixture', async (t) => {
  const { api, loaded } = await serviceWithFixture({ ...baseFixture, builds: [web] });
  const [one] = loaded.agents;
  const job = await api.runtime.jobs.accept({ agent: one?.id ?? '' });
  t.is(job?.name, 'Build');
  await api.runtime.jobs.start({ job: job?.id ?? '' });
  t.is((await api.runtime.jobs.finish({ job: job?.id ?? '', exit_status: 0 })).state, 'passed');
  t.is((await api.runtime.jobs.accept({ agent: loaded.agents[1]?.id ?? '' }))?.name, 'Test');
});

test('progress is reported up to the last record, and there are no events', async (t) => {
  const { api, storage } = await emptyService();
  const progress: [number, number][] = [];
  const builds = Array.from({ length: 250 }, () => web);
  await api.load({ ...baseFixture, builds }, { onProgress: (done, total) => progress.push([done, total]) });
  t.deepEqual(progress, [
    [100, 262],
    [200, 262],
    [262, 262],
  ]);
  t.deepEqual(await storage.events(0, 1), []);
});

test('an empty document loads', async (t) => {
  const { api } = await emptyService();
  t.deepEqual((await api.load({})).organizations, []);
});
