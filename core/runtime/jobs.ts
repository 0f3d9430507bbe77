import { merge, replace, unchanged } from '../commands/batch.js';
import { changeBuild, newAgentEvent, newJobEvent } from '../commands/build-changes.js';
import { errors, isApiError } from '../errors/index.js';
import {
  acceptsRetries,
  advanceBuild,
  agentMachine,
  isRetriable,
  isStarted,
  isUnblockable,
  isUnfinished,
  isWithAgent,
  jobMachine,
  reopenBuild,
  takes,
  transition,
  transitionJob,
  unblockBuild,
} from '../machines/index.js';
import type { AgentSnapshot, Row, Timestamp } from '../model/index.js';
import type { Batch } from '../ports/index.js';
import { integer, looseObject, string } from '../schema/schema.js';
import { createRetry, endJob, loadJobContext, replaceJob } from './end-job.js';
import { findJobForAgent } from './find-job.js';
import { runtimeCommand } from './runtime-command.js';

const jobInput = looseObject({ job: string({ description: 'Id of the job' }) });

/** Loads a job with its build and agents. The error `job.not_found` if there is no such job. */
const loadJob = async ({ input, reader }: { input: { job: string }; reader: Parameters<typeof loadJobContext>[1] }) =>
  (await loadJobContext(input.job, reader)) ?? errors.jobNotFound();

const stateOf = ({ state }: Row<'job'>) => ({ state: state.replaceAll('_', ' ') });

/**
 * Assigns the longest waiting job that the agent may run. Null if there is none. However many agents and processes call this
 * at the same time, a job is assigned to one agent.
 */
export const accept = runtimeCommand({
  id: 'jobs.accept',
  input: looseObject({ agent: string({ description: 'Id of the agent' }) }),
  async load({ input, reader, attempt, random }) {
    const [agent] = await reader.load('agent.inOrganization', [input.agent.toLowerCase()]);
    if (!agent) return errors.agentNotFound();
    if (agent.connection_state !== 'connected') return errors.agentNotConnected();
    if (agent.job_id !== null) return errors.agentBusy();
    return { agent, ...(await findJobForAgent(agent, reader, attempt === 0 ? 0 : random())) };
  },
  decide({ agent, queue, job }, { now }) {
    if (!queue || !job) return { batch: merge(), reply: null };
    const snapshot = snapshotOf(agent);
    const assigned = transitionJob({ ...job, agent_id: agent.id, agent: snapshot }, 'assign', now);
    const accepted = transitionJob(assigned, 'accept', now);
    return {
      batch: merge({
        expect: [unchanged('queue', queue)],
        replace: [replace('job', accepted), replace('agent', agent, { job_id: job.id, last_seen_at: now })],
        touch: [{ entity: 'build', id: job.build_id }],
        events: [newJobEvent(accepted, now)],
      }),
      reply: { ...accepted, version: job.version + 1 },
    };
  },
});

/** The snapshot of the agent that the job stores. Later changes of the agent do not change it (decisions 4). */
export function snapshotOf(agent: Row<'agent'> & { readonly creator: Row<'user'> | null }): AgentSnapshot {
  const { creator } = agent;
  return {
    id: agent.id,
    name: agent.name,
    hostname: agent.hostname,
    ip_address: agent.ip_address,
    user_agent: agent.user_agent,
    connection_state: agent.connection_state,
    creator: creator && {
      id: creator.id,
      name: creator.name,
      email: creator.email,
      avatar_url: creator.avatar_url,
      created_at: creator.created_at,
    },
    created_at: agent.created_at,
  };
}

/** Starts a job: an agent starts the job that it accepted, and the host program starts trigger jobs. */
export const start = runtimeCommand({
  id: 'jobs.start',
  input: jobInput,
  load: loadJob,
  decide({ job, build }, { now }) {
    const needsAgent = job.type !== 'trigger';
    if (job.state !== (needsAgent ? 'accepted' : 'scheduled')) return errors.jobNotStartable(stateOf(job));
    const started = transitionJob(job, 'start', now);
    const before = { build, jobs: build.jobs };
    const after = advanceBuild({ build, jobs: replaceJob(build.jobs, started) }, now);
    return { batch: merge(changeBuild(before, after, now, true)), reply: started };
  },
});

/**
 * Records the end of a job as its agent reports it. If the job was ended otherwise in the meantime, the call changes nothing,
 * because agents may report late.
 */
export const finish = runtimeCommand({
  id: 'jobs.finish',
  input: looseObject({ job: string(), exit_status: integer({ minimum: -1, maximum: 2 ** 31 - 1 }) }),
  load: loadJob,
  ids: () => 1,
  decide(jobContext, { input, now, ids: [retryId = ''] }) {
    const { job } = jobContext;
    if (!isUnfinished(job.state)) return { batch: merge(), reply: job };
    if (!isStarted(job.state)) return errors.jobNotFinishable(stateOf(job));
    const { batch, after } = endJob(jobContext, { exitStatus: input.exit_status, retryId }, now);
    return { batch, reply: findJob(after.jobs, job) };
  },
});

const findJob = (jobs: readonly Row<'job'>[], { id }: { id: string }): Row<'job'> =>
  jobs.find((job) => job.id === id) as Row<'job'>;

/** Retries a finished job. Its build continues, even if it was finished (decisions 6). The reply is the new job. */
export const retry = runtimeCommand({
  id: 'jobs.retry',
  input: jobInput,
  async load({ input, reader }) {
    const jobContext = await loadJob({ input, reader });
    if (isApiError(jobContext)) return jobContext;
    const id = jobContext.job.cluster_queue_id;
    const [queue] = id === null ? [] : await reader.load('queue.inCluster', [id]);
    return { ...jobContext, queue };
  },
  ids: () => 1,
  decide({ job, build, queue }, { now, ids: [id = ''] }) {
    if (job.retried) return errors.jobRetried();
    if (job.type === 'waiter' || job.type === 'manual' || !isRetriable(job.state))
      return errors.jobNotRetriable(stateOf(job));
    if (!acceptsRetries(build.state)) {
      return errors.jobBuildNotRetriable({ state: build.state.replaceAll('_', ' ') });
    }
    if (job.cluster_queue_id !== null && !queue) {
      return errors.jobQueueDeleted();
    }
    const { retried, next } = createRetry(job, id, 'manual', now);
    const before = { build, jobs: build.jobs };
    const jobs = replaceJob(build.jobs, retried, next);
    const after = reopenBuild({ build, jobs }, now);
    // A queue can be deleted if all of its jobs have ended. The new job must not be inserted after that.
    const expect = queue ? [unchanged('queue', queue)] : [];
    return { batch: merge({ expect }, changeBuild(before, after, now)), reply: findJob(after.jobs, next) };
  },
});

/** Unblocks a block step that the build has reached, so that the build continues. The reply is the block step's job. */
export const unblockJob = runtimeCommand({
  id: 'jobs.unblock',
  input: jobInput,
  load: loadJob,
  decide({ job, build }, { now }) {
    if (!isUnblockable(build.jobs, build.jobs.indexOf(job))) return errors.jobNotUnblockable(stateOf(job));
    const before = { build, jobs: build.jobs };
    const after = unblockBuild(before, job.id, now);
    return { batch: merge(changeBuild(before, after, now)), reply: findJob(after.jobs, job) };
  },
});

/** Releases a job that an agent accepted but has not started. */
export const release = runtimeCommand({
  id: 'jobs.release',
  input: jobInput,
  load: loadJob,
  decide({ job, build, agents }, { now }) {
    if (!isWithAgent(job.state) || !takes(jobMachine, job.state, 'release'))
      return errors.jobNotReleasable(stateOf(job));
    const released = { ...transitionJob(job, 'release', now), agent_id: null, agent: null };
    const before = { build, jobs: build.jobs };
    const holder = agents.find((agent) => agent.job_id === job.id);
    return {
      batch: merge(changeBuild(before, { build, jobs: replaceJob(build.jobs, released) }, now), {
        ...(holder ? releaseAgent(holder, now) : {}),
      }),
      reply: released,
    };
  },
});

/** The agent without its job. A stopping agent is stopped, since it only waited for the job to end (decisions 5). */
function releaseAgent(agent: Row<'agent'>, now: Timestamp): Partial<Batch> {
  if (agent.connection_state !== 'stopping') return { replace: [replace('agent', agent, { job_id: null })] };
  const connection_state = transition(agentMachine, agent.connection_state, 'stop');
  return {
    replace: [replace('agent', agent, { job_id: null, connection_state })],
    events: [newAgentEvent({ ...agent, connection_state }, now)],
  };
}
