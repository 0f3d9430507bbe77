import { merge, replace } from '../contract/batch.js';
import { command, list, read } from '../contract/operation.js';
import { textParameter } from '../contract/parameters.js';
import { badRequest } from '../contract/refusal.js';
import { flag, nullable, open, optional } from '../contract/schema.js';
import { agentMachine, cancelBuild, isHeldByAgent, move, moveJob, settle } from '../machines/index.js';
import type { Row } from '../model/index.js';
import { Agent, presentAgent } from '../representations/agent.js';
import { whyNot } from './builds/cancel.js';
import { agentEvent, changeBuild, freeAgents, holdersOf } from './changes.js';
import { showAgents } from './show-agents.js';

const listAgents = list({
  id: 'agents.list',
  summary: 'List agents',
  description: 'Connected agents only, newest first.',
  method: 'GET',
  path: '/v2/organizations/{organization}/agents',
  scope: 'read_agents',
  query: {
    name: textParameter('Agents of exactly that name'),
    hostname: textParameter('Agents on exactly that host'),
    version: textParameter('Agents of exactly that version'),
  },
  of: Agent,
  source: 'agent.inOrganization',
  where: ({ at, query }) => ({ organization: at.organization.id, connection_state: 'connected' as const, ...query }),
  show: showAgents,
});

const get = read({
  id: 'agents.get',
  summary: 'Get an agent',
  description: 'Any agent, connected or not.',
  method: 'GET',
  path: '/v2/organizations/{organization}/agents/{agent}',
  scope: 'read_agents',
  reply: Agent,
  run: ({ at, links }) => presentAgent(at.agent, at.organization.slug, links),
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
  body: open({
    force: optional(
      nullable(flag({ description: 'Cancel the job that the agent is running', default: true } as object)),
    ),
  }),
  refusals: { 400: 'The agent is not connected' },
  command: {
    async load({ at, reader }) {
      const [build] = at.agent.job ? await reader.load('build.ofPipeline', [at.agent.job.build_id]) : [];
      const others = holdersOf(build?.jobs ?? []).filter((id) => id !== at.agent.id);
      const agents = others.length > 0 ? await reader.load('agent.inOrganization', others) : [];
      return { agent: at.agent as Row<'agent'>, build, agents };
    },
    decide({ agent, build, agents }, { input, now, rules, caller }) {
      if (agent.connection_state !== 'connected') return badRequest('Can only stop connected agents');
      const force = input.force ?? true;
      const event = agent.job_id !== null && !force ? 'stop_after_job' : 'stop';
      const stopped = { ...agent, connection_state: move(agentMachine, agent.connection_state, event) };
      const own = (changes: Partial<Row<'agent'>>) => ({
        replace: [replace('agent', agent, { connection_state: stopped.connection_state, ...changes })],
        events: [agentEvent(stopped, now)],
      });
      if (!build || event === 'stop_after_job') return { batch: merge(own({})), reply: null };
      const before = { build, jobs: build.jobs };
      const reason = `Agent ${agent.name} was stopped by ${caller?.user.name ?? 'the host'}`;
      // A job that has ended since the agent was read is left alone: the agent has been freed with it, and conflicts.
      const ended = build.jobs.map((job) =>
        job.id === agent.job_id && isHeldByAgent(job)
          ? moveJob(job, job.state === 'canceling' ? 'settle' : 'cancel', now)
          : job,
      );
      const rest = { build, jobs: ended };
      const after = whyNot(build.state) ? settle(rest, now) : cancelBuild(rest, rules.cancellation, reason, now);
      return {
        batch: merge(
          own({ job_id: null, last_job_finished_at: now }),
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
