import type { Row } from '../model/index.js';
import type { Scope } from '../model/scopes.js';
import type { TestsRuntime } from './test-executions/tests-runtime.js';

/** An agent as it is stored: the columns of the entity `agent` of `millrace/model`. */
export type AgentRecord = Row<'agent'>;
/** A job as it is stored: the columns of the entity `job` of `millrace/model`. */
export type JobRecord = Row<'job'>;

/**
 * What the CI system behind the API calls: its agents, their jobs, its tests, its tokens, and the sweep. Every call resolves
 * with plain values, and rejects with an `ApiError` where the API would answer with an error; its `data.code` says which
 * (docs/errors.md). Besides those that each call names, there are `validation.failed` (422) for an input without the declared
 * fields, and `record.conflict` (409) when too many others change the same records at the same time. A call rejects with
 * `StorageUnavailable` when the database cannot be reached.
 *
 * @example
 * const agent = await api.runtime.agents.connect({ token, name: 'linux-1', hostname: 'ci-1', ip_address: '10.0.0.1', version: '1' });
 * const job = await api.runtime.jobs.accept({ agent: agent.id });
 * if (job) {
 *   await api.runtime.jobs.start({ job: job.id });
 *   await api.runtime.jobs.finish({ job: job.id, exit_status: 0 });
 * }
 */
export interface Runtime {
  /** Agents: connecting them, and noticing that they are alive or gone. */
  readonly agents: AgentsRuntime;
  /** Jobs: handing them to agents, and recording what became of them. */
  readonly jobs: JobsRuntime;
  /** Tests: recording their executions, and resolving flaky ones. */
  readonly tests: TestsRuntime;
  /** API access tokens: issuing and revoking them. */
  readonly accessTokens: AccessTokensRuntime;
  /**
   * Does what time alone brings about: agents that have been silent for longer than the option `agentTimeout` are lost, and
   * jobs that run for longer than their step allows are told to end (decisions 6). Call it every few seconds, from any number
   * of processes.
   *
   * @example
   * setInterval(() => api.runtime.sweep().catch(console.error), 5_000);
   */
  sweep(): Promise<SweepResult>;
}

/** What a sweep has done. */
export interface SweepResult {
  /** How many agents were lost. */
  readonly agents: number;
  /** How many jobs were told to end because they ran for too long. */
  readonly jobs: number;
}

/** The part of the runtime that is about agents. */
export interface AgentsRuntime {
  /**
   * Makes an agent known before it first connects. It is `never_connected` until `connect` is called with its id.
   *
   * @throws `agent_token.unknown` (401): no agent token has that text.
   * @throws `agent.address_not_allowed` (403): the token does not admit the address (decisions 8).
   * @throws `queue.not_found` (404): the cluster has no queue with the key in `meta_data`.
   * @throws `agent.already_registered` (422): an agent with that id exists.
   */
  register(input: ConnectInput): Promise<AgentRecord>;
  /**
   * Connects an agent with an agent token, from an address that the token admits. With the `id` of an agent that was connected
   * before, or that is registered, it is that agent; without one it is a new agent.
   *
   * @throws `agent_token.unknown` (401): no agent token has that text.
   * @throws `agent.address_not_allowed` (403): the token does not admit the address (decisions 8).
   * @throws `queue.not_found` (404): the cluster has no queue with the key in `meta_data`.
   * @throws `agent.not_found` (404): the agent with that id belongs to another cluster.
   * @throws `agent.not_connectable` (422): the agent with that id is connected or stopping.
   * @example
   * const { id } = await api.runtime.agents.connect({
   *   token,
   *   name: 'linux-1',
   *   hostname: 'ci-1.example.com',
   *   ip_address: '10.0.0.1',
   *   version: '3.2.0',
   *   meta_data: ['queue=default', 'os=linux'],
   * });
   */
  connect(input: ConnectInput): Promise<AgentRecord>;
  /**
   * Records a sign of life. The reply tells the agent what became of it and of its job: the agent stops a job that is
   * `canceling`, `timing_out` or finished. A lost or disconnected agent stays so.
   *
   * @throws `agent.not_found` (404): there is no such agent.
   */
  heartbeat(input: AgentInput): Promise<HeartbeatResult>;
  /**
   * Disconnects an agent. A job that it accepted but has not started goes back to its queue; one that it has started fails and
   * is run again if its step says so.
   *
   * @throws `agent.not_found` (404): there is no such agent.
   * @throws `agent.not_disconnectable` (422): the agent is not connected.
   */
  disconnect(input: AgentInput): Promise<AgentRecord>;
}

/** Names an agent. */
export interface AgentInput {
  /** Id of the agent. */
  readonly agent: string;
}

/** An agent that connects, as it describes itself. */
export interface ConnectInput {
  /** The text of an agent token. */
  readonly token: string;
  readonly name: string;
  readonly hostname: string;
  /** Where the agent connects from. */
  readonly ip_address: string;
  /** Version of the agent's software. */
  readonly version: string;
  /** Default: `millrace-agent/` and the version. */
  readonly user_agent?: string;
  readonly priority?: number | null;
  /** Tags of the form `key=value`; `queue=KEY` puts the agent in that queue, otherwise it is in the cluster's default queue. */
  readonly meta_data?: readonly string[];
  /** Id of the agent that it was before. Default: a new id. */
  readonly id?: string;
}

/** What became of an agent and of its job. */
export interface HeartbeatResult {
  readonly connection_state: AgentRecord['connection_state'];
  /** The job that the agent has; null if it has none. */
  readonly job: Pick<JobRecord, 'id' | 'state'> | null;
}

/** The part of the runtime that is about jobs. */
export interface JobsRuntime {
  /**
   * Hands the job that has waited longest to an agent, if its queue has one whose rules the agent meets; null if not, or while
   * the queue is paused (spec 3.3). However many agents and processes call at the same time, a job is handed to one agent.
   *
   * @throws `agent.not_found` (404): there is no such agent.
   * @throws `agent.not_connected` (422): the agent is not connected.
   * @throws `agent.busy` (422): the agent has a job already.
   */
  accept(input: AgentInput): Promise<JobRecord | null>;
  /**
   * Records that an agent has started the job that it accepted. Jobs of type `trigger` have no agent: the CI system starts them.
   *
   * @throws `job.not_found` (404): there is no such job.
   * @throws `job.not_startable` (422): the job's state does not allow it.
   */
  start(input: JobInput): Promise<JobRecord>;
  /**
   * Records that a job has ended. A job that has been ended by somebody else meanwhile stays as it is, and the call changes
   * nothing: an agent may report late.
   *
   * @throws `job.not_found` (404): there is no such job.
   * @throws `job.not_finishable` (422): the job has not been started.
   */
  finish(input: FinishInput): Promise<JobRecord>;
  /**
   * Gives back a job that an agent has accepted but has not started. It goes back to its queue.
   *
   * @throws `job.not_found` (404): there is no such job.
   * @throws `job.not_releasable` (422): the job's state does not allow it.
   */
  release(input: JobInput): Promise<JobRecord>;
  /**
   * Runs a finished job again. The job's build goes on, even if it was finished (decisions 6). The reply is the new job.
   *
   * @throws `job.not_found` (404): there is no such job.
   * @throws `job.not_retriable.retried` (422): the job has been retried already.
   * @throws `job.not_retriable.state` (422): the type or the state of the job does not allow it.
   * @throws `job.not_retriable.build` (422): the state of its build does not allow it.
   * @throws `job.not_retriable.queue_deleted` (422): the job's queue has been deleted.
   */
  retry(input: JobInput): Promise<JobRecord>;
  /**
   * Lets a build go on past a block step that it has reached. The reply is the job of the block step.
   *
   * @throws `job.not_found` (404): there is no such job.
   * @throws `job.not_unblockable` (422): the job is no block step, or its build has not reached it.
   */
  unblock(input: JobInput): Promise<JobRecord>;
}

/** Names a job. */
export interface JobInput {
  /** Id of the job. */
  readonly job: string;
}

/** How a job has ended. */
export interface FinishInput extends JobInput {
  /** 0: passed; anything else: failed, unless the step lets it fail softly. -1: the agent knows none. */
  readonly exit_status: number;
}

/** The part of the runtime that is about API access tokens. */
export interface AccessTokensRuntime {
  /**
   * Issues an access token for a user. The reply is the only place where the token's text is ever seen.
   *
   * @throws `user.not_found` (404): no user has that email.
   * @throws `organization.not_found` (404): no organization has one of the slugs.
   * @throws `access_token.not_a_member` (422): the user is not a member of one of the organizations.
   * @example
   * const { token } = await api.runtime.accessTokens.issue({ user: 'ada@acme.example', scopes: ['read_builds'] });
   */
  issue(input: IssueInput): Promise<IssuedToken>;
  /**
   * Revokes an access token. One that is revoked already stays so.
   *
   * @throws `access_token.not_found` (404): there is no such token.
   */
  revoke(input: RevokeInput): Promise<RevokedToken>;
}

/** The access token to issue. */
export interface IssueInput {
  /** Email of the user. */
  readonly user: string;
  /** Default: all scopes. */
  readonly scopes?: readonly Scope[];
  /** Slugs of the organizations that the token is limited to. Absent or null: all of the user's, now and later. */
  readonly organizations?: readonly string[] | null;
  readonly description?: string;
  /** ISO 8601. Absent or null: never. */
  readonly expires_at?: string | null;
}

/** A new access token. */
export interface IssuedToken {
  readonly id: string;
  /** The text of the token, to be sent as a bearer token. */
  readonly token: string;
}

/** Names an access token. */
export interface RevokeInput {
  /** The id or the text of the token. */
  readonly token: string;
}

/** An access token that is revoked. */
export interface RevokedToken {
  readonly id: string;
}
