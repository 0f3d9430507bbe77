import { isIpAllowed } from '../auth/ip-allow-list.js';
import { agentTokenPrefix, digestOf, isWellFormed } from '../auth/token-format.js';
import { insert, merge, replace, unchanged } from '../commands/batch.js';
import { newAgentEvent } from '../commands/build-changes.js';
import type { LoadContext } from '../commands/command.js';
import { queueKeyOf } from '../commands/jobs-of-steps.js';
import { type ApiError, errors } from '../errors/index.js';
import { agentMachine, isConnected, takes, transition } from '../machines/index.js';
import type { QueryRow, Row, Timestamp } from '../model/index.js';
import type { Reader } from '../ports/storage.js';
import { array, type Infer, integer, looseObject, nullable, optional, string, uuidAnyCase } from '../schema/schema.js';
import { formatTimestamp } from '../schema/timestamps.js';
import { isUuid } from '../schema/uuid.js';
import { abandonJob, type JobContext, loadJobContext } from './end-job.js';
import { runtimeCommand } from './runtime-command.js';

const connectInput = looseObject({
  token: string({ description: 'The text of an agent token' }),
  name: string({ minLength: 1, maxLength: 255 }),
  hostname: string({ minLength: 1, maxLength: 255 }),
  ip_address: string({ description: 'Where the agent connects from' }),
  version: string({ minLength: 1, maxLength: 255 }),
  user_agent: optional(string({ maxLength: 1_000 })),
  priority: optional(nullable(integer())),
  meta_data: optional(array(string({ pattern: '^[^=]+=', reason: 'must be of the form key=value' }))),
  /** Reconnects the agent with this id. */
  id: optional(uuidAnyCase()),
});

/** Connects an agent with an agent token, from an address that the token allows (decisions 8). */
export const connect = runtimeCommand({
  id: 'agents.connect',
  input: connectInput,
  load: loadRegistration,
  ids: () => 1,
  decide(registration, { input, now, ids: [id = ''] }) {
    const { existing } = registration;
    if (existing && !takes(agentMachine, existing.connection_state, 'connect')) {
      return errors.agentNotConnectable({ state: existing.connection_state });
    }
    return registerAgent(registration, input, id, 'connected', now);
  },
});

/** Registers an agent before it connects for the first time. */
export const register = runtimeCommand({
  id: 'agents.register',
  input: connectInput,
  load: loadRegistration,
  ids: () => 1,
  decide(registration, { input, now, ids: [id = ''] }) {
    if (registration.existing) return errors.agentRegistered();
    return registerAgent(registration, input, id, 'never_connected', now);
  },
});

interface AgentRegistration {
  readonly token: QueryRow<'agentToken.byDigest'>;
  readonly cluster: Row<'cluster'>;
  readonly queue: Row<'queue'> | undefined;
  readonly existing: Row<'agent'> | undefined;
}

async function loadRegistration({
  input,
  reader,
}: LoadContext<null, Infer<typeof connectInput>>): Promise<AgentRegistration | ApiError> {
  const wellFormed = isWellFormed(agentTokenPrefix, input.token);
  const [token] = wellFormed ? await reader.select('agentToken.byDigest', { digest: digestOf(input.token) }, 1) : [];
  if (!token?.cluster) return errors.agentTokenUnknown();
  if (!isIpAllowed(token.allowed_ip_addresses, input.ip_address)) {
    return errors.agentAddressNotAllowed({ address: input.ip_address });
  }
  const key = queueKeyOf(input.meta_data ?? []);
  const [queue] = key === '' ? [] : await reader.select('queue.inCluster', { cluster: token.cluster_id, key }, 1);
  if (key !== '' && !queue) return errors.queueNotFound();
  const [existing] = input.id ? await reader.load('agent.inOrganization', [input.id.toLowerCase()]) : [];
  if (existing && existing.cluster_id !== token.cluster_id) return errors.agentNotFound();
  return { token, cluster: token.cluster, queue, existing };
}

function registerAgent(
  { token, cluster, queue, existing }: AgentRegistration,
  input: Infer<typeof connectInput>,
  id: string,
  state: 'connected' | 'never_connected',
  now: Timestamp,
) {
  const reported = {
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
  const agent: Row<'agent'> = existing
    ? { ...existing, ...reported }
    : {
        id: input.id?.toLowerCase() ?? id,
        version: 1,
        organization_id: token.organization_id,
        cluster_id: token.cluster_id,
        creator_id: token.created_by_id,
        job_id: null,
        last_job_finished_at: null,
        created_at: now,
        ...reported,
      };
  return {
    batch: merge({
      expect: [
        unchanged('cluster', cluster),
        unchanged('agentToken', token),
        ...(queue ? [unchanged('queue', queue)] : []),
      ],
      insert: existing ? [] : [insert('agent', agent)],
      replace: existing ? [replace('agent', agent)] : [],
      events: [newAgentEvent(agent, now)],
    }),
    reply: agent,
  };
}

const agentInput = looseObject({ agent: string({ description: 'Id of the agent' }) });

async function agentById(id: string, reader: Reader): Promise<QueryRow<'agent.inOrganization'> | undefined> {
  const [agent] = isUuid(id) ? await reader.load('agent.inOrganization', [id.toLowerCase()]) : [];
  return agent;
}

/** Records a heartbeat. The reply has the current state of the agent and of its job. The agent must stop a canceled job. */
export const heartbeat = runtimeCommand({
  id: 'agents.heartbeat',
  input: agentInput,
  load: async ({ input, reader }) => (await agentById(input.agent, reader)) ?? errors.agentNotFound(),
  decide(agent, { now }) {
    const alive = isConnected(agent.connection_state);
    return {
      batch: merge(alive ? { replace: [replace('agent', agent, { last_seen_at: now })] } : {}),
      reply: {
        connection_state: agent.connection_state,
        job: agent.job && { id: agent.job.id, state: agent.job.state },
      },
    };
  },
});

interface Disconnection {
  readonly agent: Row<'agent'>;
  readonly jobContext: JobContext | undefined;
}

async function loadDisconnection({
  input,
  reader,
}: LoadContext<null, { agent: string }>): Promise<Disconnection | ApiError> {
  const agent = await agentById(input.agent, reader);
  if (!agent) return errors.agentNotFound();
  return { agent, jobContext: agent.job_id ? await loadJobContext(agent.job_id, reader) : undefined };
}

/** Records that the agent has disconnected or was lost. A job that it had not started is released to its queue. */
function disconnectAgent(
  { agent, jobContext }: Disconnection,
  event: 'disconnect' | 'lose',
  retryId: string,
  now: Timestamp,
) {
  const state = transition(agentMachine, agent.connection_state, event);
  const disconnected: Row<'agent'> = {
    ...agent,
    connection_state: state,
    job_id: null,
    last_job_finished_at: agent.job_id ? now : agent.last_job_finished_at,
  };
  const otherAgents = jobContext && {
    ...jobContext,
    agents: jobContext.agents.filter((other) => other.id !== agent.id),
  };
  return {
    batch: merge(
      { replace: [replace('agent', disconnected)], events: [newAgentEvent(disconnected, now)] },
      otherAgents ? abandonJob(otherAgents, retryId, now) : {},
    ),
    reply: disconnected,
  };
}

export const disconnect = runtimeCommand({
  id: 'agents.disconnect',
  input: agentInput,
  load: loadDisconnection,
  ids: () => 1,
  decide(disconnection, { now, ids: [retryId = ''] }) {
    const { connection_state } = disconnection.agent;
    if (!takes(agentMachine, connection_state, 'disconnect')) {
      return errors.agentNotDisconnectable({ state: connection_state.replaceAll('_', ' ') });
    }
    return disconnectAgent(disconnection, 'disconnect', retryId, now);
  },
});

/** Marks an agent as lost if it sent no heartbeat for too long. Changes nothing if a heartbeat came in the meantime. */
export const lose = runtimeCommand({
  id: 'agents.lose',
  input: agentInput,
  load: loadDisconnection,
  ids: () => 1,
  decide(disconnection, { now, ids: [retryId = ''], rules }) {
    const { agent } = disconnection;
    const silent = agent.last_seen_at < lastSeenCutoff(now, rules.agentTimeout);
    if (!silent || !takes(agentMachine, agent.connection_state, 'lose')) return { batch: merge(), reply: agent };
    return disconnectAgent(disconnection, 'lose', retryId, now);
  },
});

/** An agent whose last heartbeat was before this time is lost. */
export const lastSeenCutoff = (now: Timestamp, timeout: number): Timestamp =>
  formatTimestamp(Date.parse(now) - timeout);
