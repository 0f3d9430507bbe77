import { admits } from '../auth/admission.js';
import { agentTokenPrefix, digestOf, isWellFormed } from '../auth/token-text.js';
import { insert, merge, replace, unchanged } from '../contract/batch.js';
import { timestamp } from '../contract/dates.js';
import type { About, Reader } from '../contract/operation.js';
import { isUuid } from '../contract/parameters.js';
import { notFound, Refusal, unprocessable } from '../contract/refusal.js';
import { givenUuid, type Infer, integer, list, nullable, open, optional, text } from '../contract/schema.js';
import { agentMachine, move } from '../machines/index.js';
import type { QueryRow, Row, Timestamp } from '../model/index.js';
import { queueKeyOf } from '../operations/builds/jobs-of-steps.js';
import { agentEvent } from '../operations/changes.js';
import { abandonJob, type JobSite, loadJobSite } from './agent-jobs.js';
import { hostCommand } from './call.js';

const connectInput = open({
  token: text({ description: 'The text of an agent token' }),
  name: text({ minLength: 1, maxLength: 255 }),
  hostname: text({ minLength: 1, maxLength: 255 }),
  ip_address: text({ description: 'Where the agent connects from' }),
  version: text({ minLength: 1, maxLength: 255 }),
  user_agent: optional(text({ maxLength: 1_000 })),
  priority: optional(nullable(integer())),
  meta_data: optional(list(text({ pattern: '^[^=]+=', reason: 'must be of the form key=value' }))),
  /** To connect again as the agent that one was before. */
  id: optional(givenUuid()),
});

/** An agent connects with an agent token, from an address that the token admits (decisions 8). */
export const connect = hostCommand({
  id: 'agents.connect',
  input: connectInput,
  load: loadArrival,
  ids: () => 1,
  decide(arrival, { input, now, ids: [id = ''] }) {
    const { known } = arrival;
    if (known && agentMachine[known.connection_state].connect === undefined) {
      return unprocessable(`Agent is ${known.connection_state} already`);
    }
    return arrive(arrival, input, id, 'connected', now);
  },
});

/** Makes an agent known before it first connects. */
export const register = hostCommand({
  id: 'agents.register',
  input: connectInput,
  load: loadArrival,
  ids: () => 1,
  decide(arrival, { input, now, ids: [id = ''] }) {
    if (arrival.known) return unprocessable('Agent is registered already');
    return arrive(arrival, input, id, 'never_connected', now);
  },
});

interface Arrival {
  readonly token: QueryRow<'agentToken.byDigest'>;
  readonly cluster: Row<'cluster'>;
  readonly queue: Row<'queue'> | undefined;
  readonly known: Row<'agent'> | undefined;
}

async function loadArrival({ input, reader }: About<null, Infer<typeof connectInput>>): Promise<Arrival | Refusal> {
  const well = isWellFormed(agentTokenPrefix, input.token);
  const [token] = well ? await reader.select('agentToken.byDigest', { digest: digestOf(input.token) }, 1) : [];
  if (!token?.cluster) return new Refusal(401, 'No agent token found');
  if (!admits(token.allowed_ip_addresses, input.ip_address)) {
    return new Refusal(403, `Agents may not connect from ${input.ip_address} with this token`);
  }
  const key = queueKeyOf(input.meta_data ?? []);
  const [queue] = key === '' ? [] : await reader.select('queue.inCluster', { cluster: token.cluster_id, key }, 1);
  if (key !== '' && !queue) return notFound('cluster queue');
  const [known] = input.id ? await reader.load('agent.inOrganization', [input.id.toLowerCase()]) : [];
  if (known && known.cluster_id !== token.cluster_id) return notFound('agent');
  return { token, cluster: token.cluster, queue, known };
}

function arrive(
  { token, cluster, queue, known }: Arrival,
  input: Infer<typeof connectInput>,
  id: string,
  state: 'connected' | 'never_connected',
  now: Timestamp,
) {
  const told = {
    queue_id: queue?.id ?? null,
    agent_token_id: token.id,
    name: input.name,
    hostname: input.hostname,
    ip_address: input.ip_address,
    user_agent: input.user_agent ?? `millrace-agent/${input.version}`,
    agent_version: input.version,
    priority: input.priority ?? null,
    meta_data: input.meta_data ?? [],
    connection_state: state,
    last_seen_at: now,
  };
  const agent: Row<'agent'> = known
    ? { ...known, ...told }
    : {
        id: input.id?.toLowerCase() ?? id,
        version: 1,
        organization_id: token.organization_id,
        cluster_id: token.cluster_id,
        creator_id: token.created_by_id,
        job_id: null,
        last_job_finished_at: null,
        created_at: now,
        ...told,
      };
  return {
    batch: merge({
      expect: [
        unchanged('cluster', cluster),
        unchanged('agentToken', token),
        ...(queue ? [unchanged('queue', queue)] : []),
      ],
      insert: known ? [] : [insert('agent', agent)],
      replace: known ? [replace('agent', agent)] : [],
      events: [agentEvent(agent, now)],
    }),
    reply: agent,
  };
}

const agentInput = open({ agent: text({ description: 'Id of the agent' }) });

async function agentById(id: string, reader: Reader): Promise<QueryRow<'agent.inOrganization'> | undefined> {
  const [agent] = isUuid(id) ? await reader.load('agent.inOrganization', [id.toLowerCase()]) : [];
  return agent;
}

/** A sign of life. The reply tells the agent what has become of it and of its job: it has to stop what was canceled. */
export const heartbeat = hostCommand({
  id: 'agents.heartbeat',
  input: agentInput,
  load: async ({ input, reader }) => (await agentById(input.agent, reader)) ?? notFound('agent'),
  decide(agent, { now }) {
    const alive = agent.connection_state === 'connected' || agent.connection_state === 'stopping';
    return {
      batch: merge(alive ? { replace: [replace('agent', agent, { last_seen_at: now })] } : {}),
      reply: {
        connection_state: agent.connection_state,
        job: agent.job && { id: agent.job.id, state: agent.job.state },
      },
    };
  },
});

interface Departure {
  readonly agent: Row<'agent'>;
  readonly site: JobSite | undefined;
}

async function loadDeparture({ input, reader }: About<null, { agent: string }>): Promise<Departure | Refusal> {
  const agent = await agentById(input.agent, reader);
  if (!agent) return notFound('agent');
  return { agent, site: agent.job_id ? await loadJobSite(agent.job_id, reader) : undefined };
}

/** The agent is gone, by its own will or without a word; what it had not started goes back to its queue. */
function depart({ agent, site }: Departure, event: 'disconnect' | 'lose', retryId: string, now: Timestamp) {
  const state = move(agentMachine, agent.connection_state, event);
  const gone: Row<'agent'> = {
    ...agent,
    connection_state: state,
    job_id: null,
    last_job_finished_at: agent.job_id ? now : agent.last_job_finished_at,
  };
  const others = site && { ...site, agents: site.agents.filter((other) => other.id !== agent.id) };
  return {
    batch: merge(
      { replace: [replace('agent', gone)], events: [agentEvent(gone, now)] },
      others ? abandonJob(others, retryId, now) : {},
    ),
    reply: gone,
  };
}

export const disconnect = hostCommand({
  id: 'agents.disconnect',
  input: agentInput,
  load: loadDeparture,
  ids: () => 1,
  decide(departure, { now, ids: [retryId = ''] }) {
    const { connection_state } = departure.agent;
    if (agentMachine[connection_state].disconnect === undefined) {
      return unprocessable(`Agent can't be disconnected because it's ${connection_state.replaceAll('_', ' ')}`);
    }
    return depart(departure, 'disconnect', retryId, now);
  },
});

/** Takes an agent for lost if it has been silent for too long; changes nothing if it has given a sign of life meanwhile. */
export const lose = hostCommand({
  id: 'agents.lose',
  input: agentInput,
  load: loadDeparture,
  ids: () => 1,
  decide(departure, { now, ids: [retryId = ''], rules }) {
    const { agent } = departure;
    const silent = agent.last_seen_at < silentSince(now, rules.agentsLostAfter);
    if (!silent || agentMachine[agent.connection_state].lose === undefined) return { batch: merge(), reply: agent };
    return depart(departure, 'lose', retryId, now);
  },
});

/** Agents last seen before this have been silent for too long. */
export const silentSince = (now: Timestamp, seconds: number): Timestamp => timestamp(Date.parse(now) - seconds * 1_000);
