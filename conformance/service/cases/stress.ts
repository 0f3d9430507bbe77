import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isApiError } from '../../../core/index.js';
import { atSeam, type Case } from '../../case.js';
import { propertyParameters } from '../../property-settings.js';
import { Driver, pipelineFixture } from '../driver.js';
import { commandCounter } from '../models/command-counter.js';
import { type Service, type ServiceHarness, withService } from '../service.js';

const fixture = pipelineFixture({
  steps: [
    { key: 'a', parallelism: 3, automatic_retry: [{ exit_status: 7, limit: 1 }] },
    { type: 'waiter' },
    { type: 'manual', key: 'gate' },
    { key: 'b', soft_fail: [1] },
  ],
  cancel_running_branch_builds: true,
  cancel_running_branch_builds_filter: 'busy',
});

const command = fc.record({
  does: fc.constantFrom(
    ...(['accept', 'accept', 'accept', 'start', 'start', 'start', 'finish', 'finish', 'finish'] as const),
    ...([
      'create',
      'cancel',
      'rebuild',
      'stop',
      'gently',
      'disconnect',
      'connect',
      'unblock',
      'retry',
      'release',
    ] as const),
  ),
  target: fc.nat(),
  exit: fc.constantFrom(0, 0, 0, 1, 7),
});
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

// biome-ignore lint/suspicious/noExplicitAny: `send` checks responses against their schema
type RenderedRecord = any;

/** All builds with their jobs, and all agents, as the API renders them. */
async function fetchState(service: Service, agentIds: readonly string[]) {
  const { body: builds } = await service.send('GET', '/v2/builds?per_page=100&include_retried_jobs=true');
  const driver = new Driver(service);
  const agents = await Promise.all(agentIds.map(async (id) => (await driver.agent(id)).body));
  return { builds: builds as RenderedRecord[], agents: agents as RenderedRecord[] };
}

const statesWithAgent = ['assigned', 'accepted', 'running', 'canceling', 'timing_out'];
const readyStates = ['scheduled', ...statesWithAgent];
const unfinishedStates = [...readyStates, 'pending', 'waiting', 'blocked', 'limiting', 'limited'];

/** Invariants of a build while no request changes it (spec 2.4, decisions 7). */
function checkBuild(build: RenderedRecord): void {
  const current = build.jobs.filter((job: RenderedRecord) => !job.retried);
  const is = (states: readonly string[]) => current.some((job: RenderedRecord) => states.includes(job.state));
  const ended = ['passed', 'failed', 'canceled', 'skipped', 'not_run'].includes(build.state);
  const what = `build ${build.number}: ${build.state} ${build.blocked} of ${current.map((job: RenderedRecord) => job.state)}`;
  assert.equal(build.finished_at !== null, ended, what);
  if (build.blocked) assert.ok(is(['blocked']) && !is(readyStates), what);
  else assert.equal(is(unfinishedStates), !ended, `${what}: a build ends with its last job`);
  if (build.state === 'scheduled')
    assert.ok(
      build.jobs.every((job: RenderedRecord) => job.started_at === null),
      what,
    );
  const failed = current.some((job: RenderedRecord) => ['failed', 'canceled'].includes(job.state) && !job.soft_failed);
  if (build.state === 'passed' || build.state === 'running') assert.ok(!failed, what);
  if (build.state === 'failing') assert.ok(failed, what);
}

/** An agent names a job if and only if the job names the agent (decisions 5). */
function checkAgents(agents: readonly RenderedRecord[], builds: readonly RenderedRecord[]): void {
  const held = builds
    .flatMap((build) => build.jobs)
    .filter((job: RenderedRecord) => statesWithAgent.includes(job.state));
  const pairs = (list: readonly (readonly [string, string])[]) => list.map((pair) => pair.join(' has ')).sort();
  assert.deepEqual(
    pairs(agents.filter((agent) => agent.job !== null).map((agent) => [agent.id, agent.job.id])),
    pairs(held.map((job: RenderedRecord) => [job.agent?.id, job.id])),
  );
  for (const { connection_state, job } of agents) {
    if (connection_state === 'stopping') assert.ok(job, 'a stopping agent has a job');
    else if (connection_state !== 'connected') assert.equal(job, null, `${connection_state} agents have no job`);
  }
}

function checkCounters(builds: readonly RenderedRecord[]): void {
  const [first] = builds;
  if (!first) return;
  const count = (states: readonly string[]) => builds.filter(({ state }) => states.includes(state)).length;
  const jobs = builds.flatMap((build) => build.jobs);
  const countJobs = (states: readonly string[]) =>
    jobs.filter((job: RenderedRecord) => states.includes(job.state)).length;
  const { pipeline } = first;
  assert.deepEqual(
    [
      pipeline.scheduled_builds_count,
      pipeline.running_builds_count,
      pipeline.scheduled_jobs_count,
      pipeline.running_jobs_count,
    ],
    [
      count(['scheduled']),
      count(['running', 'failing', 'canceling']),
      countJobs(['scheduled']),
      countJobs(statesWithAgent),
    ],
  );
}

/** Runs one random action. It succeeds or is refused with an allowed status. */
async function runCommand(
  service: Service,
  agents: string[],
  seen: RenderedRecord[],
  { does, target, exit }: Command,
): Promise<void> {
  const driver = new Driver(service);
  const { jobs } = driver.runtime;
  const pick = <T>(list: readonly T[]): T | undefined => list[target % Math.max(1, list.length)];
  const agent = pick(agents) ?? '';
  const inState = (states: readonly string[]) =>
    pick(seen.flatMap((build) => build.jobs).filter((one: RenderedRecord) => states.includes(one.state)))?.id ?? '';
  const number = pick(seen)?.number ?? 1;
  const acts: Readonly<Record<Command['does'], () => Promise<unknown>>> = {
    accept: () => jobs.accept({ agent }),
    start: () => jobs.start({ job: inState(['accepted']) }),
    finish: () => jobs.finish({ job: inState(['running', 'canceling', 'timing_out']), exit_status: exit }),
    release: () => jobs.release({ job: inState(['accepted']) }),
    unblock: () => jobs.unblock({ job: inState(['blocked']) }),
    retry: () => jobs.retry({ job: inState(['passed', 'failed', 'canceled']) }),
    create: () => driver.create({ branch: exit === 0 ? 'busy' : 'main' }),
    cancel: () => driver.cancel(number),
    rebuild: () => driver.rebuild(number),
    stop: () => driver.stop(agent),
    gently: () => driver.stop(agent, { body: { force: false } }),
    disconnect: () => driver.runtime.agents.disconnect({ agent }),
    connect: () => driver.connect('again', agent === '' ? {} : { id: agent }),
  };
  commandCounter.count += 1;
  try {
    await acts[does]();
  } catch (error) {
    if (!isApiError(error) || ![404, 409, 422].includes(error.output.statusCode)) throw error;
  }
}

/** Many clients and agents act at the same time. Afterwards all invariants hold. */
const stress: Case<ServiceHarness> = {
  id: 'models.everything-at-once',
  cites: 'spec 2.4, spec 3.1, spec 3.2, decisions 5, decisions 6, decisions 7',
  run: (harness) =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(command, { minLength: 4, maxLength: 14 }), { minLength: 8, maxLength: 16, size: 'max' }),
        (rounds) =>
          withService(harness, fixture, async (service) => {
            const driver = new Driver(service);
            const agents = [
              await driver.connect('1'),
              await driver.connect('2'),
              await driver.connect('3'),
              await driver.connect('4'),
            ];
            for (let index = 0; index < 3; index += 1) await driver.create({ branch: 'main' });
            for (const round of rounds) {
              service.clock.advance(1);
              const { builds } = await fetchState(service, []);
              await Promise.all(round.map((chosen) => runCommand(service, agents, builds, chosen)));
              const after = await fetchState(service, agents);
              for (const build of after.builds) checkBuild(build);
              checkAgents(after.agents, after.builds);
              checkCounters(after.builds);
            }
          }),
      ),
      { ...propertyParameters(20), includeErrorInReport: true },
    ),
};

export const stressCases: readonly Case<ServiceHarness>[] = atSeam('concurrency', [stress]);
