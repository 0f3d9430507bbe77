import { agentMachine, type BuildAggregate, isHeldByAgent, isUnfinished, transition } from '../machines/index.js';
import type { Row, Timestamp } from '../model/index.js';
import type { Batch, NewEvent, Replace } from '../ports/index.js';
import { batch, insert, type New, replace } from './batch.js';

/**
 * The batch that changes a build and its jobs from `before` to `after`, with an event for every state that changed.
 *
 * Every change increments the build's version. With `touchOnly`, and if the build's row does not change, the build is touched
 * without a check of its version, so that such changes of several jobs of one build do not conflict. Changes that the build's
 * state depends on must check the version.
 */
export function changeBuild(
  before: BuildAggregate,
  after: BuildAggregate,
  now: Timestamp,
  touchOnly = false,
): Partial<Batch> {
  const jobsBefore = new Map(before.jobs.map((job) => [job.id, job]));
  const changed = after.jobs.filter((job) => jobsBefore.get(job.id) !== job);
  const buildChanged = before.build !== after.build;
  if (!buildChanged && changed.length === 0) return {};
  const checksVersion = buildChanged || !touchOnly;
  // An agent is rendered with its job, so its version changes with the job.
  const holders = changed.flatMap((job) => holdingAgentIds([jobsBefore.get(job.id) ?? job]));
  return batch({
    replace: [
      ...(checksVersion ? [replaceDiff('build', before.build, after.build)] : []),
      ...changed.flatMap((job) => {
        const previous = jobsBefore.get(job.id);
        return previous === undefined ? [] : [replaceDiff('job', previous, job)];
      }),
    ],
    touch: [
      ...(checksVersion ? [] : [{ entity: 'build', id: after.build.id } as const]),
      ...holders.map((id) => ({ entity: 'agent', id }) as const),
    ],
    insert: changed.flatMap((job) => (jobsBefore.has(job.id) ? [] : [insert('job', job)])),
    events: [
      ...(before.build.state === after.build.state ? [] : [newBuildEvent(after.build, now)]),
      ...changed.flatMap((job) => (jobsBefore.get(job.id)?.state === job.state ? [] : [newJobEvent(job, now)])),
    ],
  });
}

/** The batch that inserts a new build and its jobs. */
export const insertBuild = ({ build, jobs }: BuildAggregate, now: Timestamp): Partial<Batch> => ({
  insert: [insert('build', build), ...jobs.map((job) => insert('job', job))],
  events: [newBuildEvent(build, now), ...jobs.map((job) => newJobEvent(job, now))],
});

/**
 * Frees the agents whose jobs have ended. A stopping agent is stopped, since it only waited for its job to end (decisions 5).
 * `agents` are those that held a job before.
 */
export function freeAgents(
  agents: readonly Row<'agent'>[],
  after: BuildAggregate['jobs'],
  now: Timestamp,
): Partial<Batch> {
  const freed = agents.filter((agent) => {
    const job = after.find((candidate) => candidate.id === agent.job_id);
    return job !== undefined && !isUnfinished(job.state);
  });
  const stopped = freed.filter((agent) => agent.connection_state === 'stopping');
  return {
    replace: freed.map((agent) =>
      replaceDiff('agent', agent, {
        ...agent,
        job_id: null,
        last_job_finished_at: now,
        ...(stopped.includes(agent)
          ? { connection_state: transition(agentMachine, agent.connection_state, 'stop') }
          : {}),
      }),
    ),
    events: stopped.map((agent) => newAgentEvent({ ...agent, connection_state: 'stopped' }, now)),
  };
}

/** A replacement with the previous row, so that a storage can write only the difference. */
const replaceDiff = <E extends 'agent' | 'build' | 'job'>(
  entity: E,
  before: Row<E> & { readonly version: number },
  after: New<E>,
): Replace => ({ ...replace(entity, { ...after, version: before.version }), before }) as Replace;

/** The ids of the agents that hold jobs of the build. */
export const holdingAgentIds = (jobs: BuildAggregate['jobs']): string[] =>
  jobs.flatMap((job) => (isHeldByAgent(job) && job.agent_id ? [job.agent_id] : []));

export const newBuildEvent = (build: New<'build'>, at: Timestamp): NewEvent => ({
  type: `build.${build.state}`,
  organization_id: build.organization_id,
  at,
  data: {
    build_id: build.id,
    number: build.number,
    pipeline_id: build.pipeline_id,
    state: build.state,
    branch: build.branch,
    commit: build.commit,
  },
});

export const newJobEvent = (job: New<'job'>, at: Timestamp): NewEvent => ({
  type: `job.${job.state}`,
  organization_id: job.organization_id,
  at,
  data: { job_id: job.id, build_id: job.build_id, type: job.type, state: job.state, agent_id: job.agent_id },
});

export const newAgentEvent = (agent: New<'agent'>, at: Timestamp): NewEvent => ({
  type: `agent.${agent.connection_state}`,
  organization_id: agent.organization_id,
  at,
  data: { agent_id: agent.id, name: agent.name, cluster_id: agent.cluster_id, state: agent.connection_state },
});
