import { merge, replace } from '../commands/batch.js';
import { changeBuild, freeAgents, holdingAgentIds, newAgentEvent } from '../commands/build-changes.js';
import { errors } from '../errors/index.js';
import { stringParameter } from '../http/parameters.js';
import {
  advanceBuild,
  agentMachine,
  cancelBuild,
  isCancelable,
  isHeldByAgent,
  transition,
  transitionJob,
} from '../machines/index.js';
import type { Row } from '../model/index.js';
import { Agent, renderAgent } from '../representations/agent.js';
import { boolean, looseObject, nullable, optional } from '../schema/schema.js';
import { command, list, read } from './contract/operation.js';
import { renderCachedAgents } from './render-cached-agents.js';

const listAgents = list({
  id: 'agents.list',
  summary: 'List agents',
  description: 'Connected agents only, newest first.',
  method: 'GET',
  path: '/v2/organizations/{organization}/agents',
  scope: 'read_agents',
  query: {
    name: stringParameter('Agents of exactly that name'),
    hostname: stringParameter('Agents on exactly that host'),
    version: stringParameter('Agents of exactly that version'),
  },
  item: Agent,
  source: 'agent.inOrganization',
  where: ({ records, query }) => ({
    organization: records.organization.id,
    connection_state: 'connected' as const,
    ...query,
  }),
  renderCached: renderCachedAgents,
});

const get = read({
  id: 'agents.get',
  summary: 'Get an agent',
  description: 'Any agent, connected or not.',
  method: 'GET',
  path: '/v2/organizations/{organization}/agents/{agent}',
  scope: 'read_agents',
  reply: Agent,
  run: ({ records, links }) => renderAgent(records.agent, records.organization.slug, links),
});

/** Stopping an agent (spec 3.2, decisions 5): at once, or with `force` false when its job has ended. */
const stop = command({
  id: 'agents.stop',
  summary: 'Stop an agent',
  description: 'The agent takes no more jobs. With `force` its job and the build of the job are canceled.',
  method: 'PUT',
  path: '/v2/organizations/{organization}/agents/{agent}/stop',
  scope: 'write_agents',
  right: 'stop_agents',
  status: 204,
  body: looseObject({
    force: optional(
      nullable(boolean({ description: 'Cancel the job that the agent is running', default: true } as object)),
    ),
  }),
  errors: ['agent.not_stoppable'],
  command: {
    async load({ records, reader }) {
      const [build] = records.agent.job ? await reader.load('build.ofPipeline', [records.agent.job.build_id]) : [];
      const others = holdingAgentIds(build?.jobs ?? []).filter((id) => id !== records.agent.id);
      const agents = others.length > 0 ? await reader.load('agent.inOrganization', others) : [];
      return { agent: records.agent as Row<'agent'>, build, agents };
    },
    decide({ agent, build, agents }, { input, now, rules, caller }) {
      if (agent.connection_state !== 'connected') return errors.agentNotStoppable();
      const force = input.force ?? true;
      const event = agent.job_id !== null && !force ? 'stop_after_job' : 'stop';
      const stopped = { ...agent, connection_state: transition(agentMachine, agent.connection_state, event) };
      const changeAgent = (changes: Partial<Row<'agent'>>) => ({
        replace: [replace('agent', agent, { connection_state: stopped.connection_state, ...changes })],
        events: [newAgentEvent(stopped, now)],
      });
      if (!build || event === 'stop_after_job') return { batch: merge(changeAgent({})), reply: null };
      const before = { build, jobs: build.jobs };
      const reason = `Agent ${agent.name} was stopped by ${caller?.user.name ?? 'the host'}`;
      // A job that has ended since the agent was read is left alone: the agent has been freed with it, and conflicts.
      const ended = build.jobs.map((job) =>
        job.id === agent.job_id && isHeldByAgent(job)
          ? transitionJob(job, job.state === 'canceling' ? 'settle' : 'cancel', now)
          : job,
      );
      const changed = { build, jobs: ended };
      const after = isCancelable(build.state)
        ? cancelBuild(changed, rules.cancellation, reason, now)
        : advanceBuild(changed, now);
      return {
        batch: merge(
          changeAgent({ job_id: null, last_job_finished_at: now }),
          changeBuild(before, after, now),
          freeAgents(agents, after.jobs, now),
        ),
        reply: null,
      };
    },
  },
});

/** Agents (spec 4.1). */
export const agents = [listAgents, get, stop];
