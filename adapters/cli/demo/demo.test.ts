import test from 'ava';
import { createApi, type Fixture } from '../../../core/index.js';
import { buildStates, isFinished, wireState } from '../../../core/machines/index.js';
import { memoryStorage } from '../../memory/index.js';
import { demoSource } from '../fixture-source.js';
import { summarizeFixture } from '../fixture-summary.js';
import { isLoaded } from '../load-fixture.js';
import { demo } from './index.js';
import { demoSummary } from './summary.js';

const now = Date.parse('2026-03-04T05:06:07.000Z');

test('the demo is deterministic for a given time and has no time in the future', (t) => {
  t.deepEqual(demo(now), demo(now));
  t.notDeepEqual(demo(now), demo(now + 1));
  const times: string[] = [];
  JSON.stringify(demo(now), (key, value) => {
    if (key.endsWith('_at') && value !== null) times.push(value);
    return value;
  });
  t.true(times.length > 500);
  t.deepEqual(
    times.filter((time) => Date.parse(time) > now),
    [],
  );
});

test('demoSummary equals the summary of the demo', (t) => {
  t.deepEqual(summarizeFixture(demo(now), 'The demo'), demoSummary);
});

test('the builds are consistent: numbers, times, states of jobs', (t) => {
  const { builds = [], pipelines = [] } = demo(now);
  t.true(builds.length >= 60);
  t.is(pipelines.length, 3);
  t.regex(builds[0]?.commit ?? '', /^[0-9a-f]{40}$/);
  for (const { slug } of pipelines) {
    const pipelineBuilds = builds.filter(({ pipeline }) => pipeline === slug);
    t.deepEqual(
      pipelineBuilds.map(({ number }) => number),
      pipelineBuilds.map((_, index) => index + 1),
    );
    t.deepEqual(
      pipelineBuilds.map(({ created_at = '' }) => created_at).toSorted(),
      pipelineBuilds.map(({ created_at }) => created_at),
    );
  }
  for (const build of builds) {
    const name = `${build.pipeline}/${build.number}`;
    const ended = isFinished(build.state === 'passed' || build.blocked ? 'passed' : (build.state ?? 'scheduled'));
    t.is(build.finished_at !== null, ended, name);
    for (const job of build.jobs ?? []) {
      const order = [job.created_at, job.runnable_at, job.started_at, job.finished_at].filter((time) => time != null);
      t.deepEqual(order.toSorted(), order, name);
      if (job.started_at != null && job.type === 'script') t.truthy(job.agent, name);
    }
  }
});

test('the demo loads, and isLoaded finds it', async (t) => {
  const storage = memoryStorage();
  const api = createApi({ storage, clock: { now: () => now, sleep: async () => {} } });
  t.false(await isLoaded(storage, demoSource));
  const document: Fixture = demo(now);
  const loaded = await api.load(document);
  t.is(loaded.organizations.length, 1);
  t.true(await isLoaded(storage, demoSource));
  const states = new Set(document.builds?.map(({ state = 'scheduled' }) => state));
  t.deepEqual([...states].sort(), [...new Set(buildStates.map(wireState))].sort());
  t.true(document.builds?.some(({ blocked }) => blocked));
  await api.close();
});
