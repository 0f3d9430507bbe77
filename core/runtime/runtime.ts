import type { Row } from '../model/index.js';
import type { Scope } from '../model/scopes.js';
import type { TestsRuntime } from './test-executions/tests-runtime.js';

/** An agent as it is stored: the columns of the entity `agent` of `millrace/model`. */
export type AgentRecord = Row<'agent'>;
/** A job as it is stored: the columns of the entity `job` of `millrace/model`. */
export type JobRecord = Row<'job'>;

/**
 * The functions for the CI system behind the API: for its agents, jobs, tests and tokens, and the sweep. Every call resolves
 * with plain values. It rejects with an `ApiError` where the API would respond with an error; `data.code` identifies the error
 * (docs/errors.md). In addition to the errors of each call, there are `validation.failed` (422) for an invalid input, and
 * `record.conflict` (409) if too many calls change the same records at the same time. A call rejects with `StorageUnavailable`
 * if the database cannot be reached.
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
  /** Agents: connect and disconnect them, and record their heartbeats. */
  readonly agents: AgentsRuntime;
  /** Jobs: assign them to agents, and record their starts and ends. */
  readonly jobs: JobsRuntime;
  /** Tests: record their executions, and resolve flaky tests. */
  readonly tests: TestsRuntime;
  /** API access tokens: issue and revoke them. */
  readonly accessTokens: AccessTokensRuntime;
  /**
   * Applies all changes that depend only on time. Agents without a heartbeat for longer than the option `agentTimeout` are lost.
   * Jobs that exceed the timeout of their step become `timing_out` (decisions 6). Call it every few seconds, from any number of
   * processes.
   *
   * @example
   * setInterval(() => api.runtime.sweep().catch(console.error), 5_000);
   */
  sweep(): Promise<SweepResult>;
}

/** The result of a sweep. */
export interface SweepResult {
  /** The number of agents that were lost. */
  readonly agents: number;
  /** The number of jobs that became `timing_out`. */
  readonly jobs: number;
}

/** The functions of the runtime for agents. */
export interface AgentsRuntime {
  /**
   * Registers an agent before it first connects. It is `never_connected` until `connect` is called with its id.
   *
   * @throws `agent_token.unknown` (401): no agent token has that text.
   * @throws `agent.address_not_allowed` (403): the token does not allow the address (decisions 8).
   * @throws `queue.not_found` (404): the cluster has no queue with the key in `meta_data`.
   * @throws `agent.already_registered` (422): an agent with that id exists.
   */
  register(input: ConnectInput): Promise<AgentRecord>;
  /**
   * Connects an agent with an agent token, from an address that the token allows. With the `id` of an agent that was connected
   * or registered before, it connects that agent. Without an `id` it creates an agent.
   *
   * @throws `agent_token.unknown` (401): no agent token has that text.
   * @throws `agent.address_not_allowed` (403): the token does not allow the address (decisions 8).
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
   * Records a heartbeat. The reply has the current state of the agent and of its job. The agent must stop a job that is
   * `canceling`, `timing_out` or finished. A heartbeat does not reconnect a lost or disconnected agent.
   *
   * @throws `agent.not_found` (404): there is no such agent.
   */
  heartbeat(input: AgentInput): Promise<HeartbeatResult>;
  /**
   * Disconnects an agent. A job that it accepted but has not started is released to its queue. A job that it has started fails,
   * and is retried if its step says so.
   *
   * @throws `agent.not_found` (404): there is no such agent.
   * @throws `agent.not_disconnectable` (422): the agent is not connected.
   */
  disconnect(input: AgentInput): Promise<AgentRecord>;
}

/** Identifies an agent. */
export interface AgentInput {
  /** Id of the agent. */
  readonly agent: string;
}

/** The description that an agent sends when it connects. */
export interface ConnectInput {
  /** The text of an agent token. */
  readonly token: string;
  readonly name: string;
  readonly hostname: string;
  /** The address that the agent connects from. */
  readonly ip_address: string;
  /** Version of the agent's software. */
  readonly version: string;
  /** Default: `millrace-agent/` and the version. */
  readonly user_agent?: string;
  readonly priority?: number | null;
  /** Tags of the form `key=value`; `queue=KEY` puts the agent in that queue, otherwise it is in the cluster's default queue. */
  readonly meta_data?: readonly string[];
  /** Id of an agent that was connected or registered before. Default: a new id. */
  readonly id?: string;
}

/** The state of an agent and of its job. */
export interface HeartbeatResult {
  readonly connection_state: AgentRecord['connection_state'];
  /** The agent's job. Null if it has none. */
  readonly job: Pick<JobRecord, 'id' | 'state'> | null;
}

/** The functions of the runtime for jobs. */
export interface JobsRuntime {
  /**
   * Assigns the longest waiting job of the agent's queue whose rules the agent matches. Null if there is none, or while the queue
   * is paused (spec 3.3). However many agents and processes call this at the same time, a job is assigned to one agent.
   *
   * @throws `agent.not_found` (404): there is no such agent.
   * @throws `agent.not_connected` (422): the agent is not connected.
   * @throws `agent.busy` (422): the agent has a job already.
   */
  accept(input: AgentInput): Promise<JobRecord | null>;
  /**
   * Records that an agent has started the job that it accepted. Jobs of type `trigger` have no agent; the CI system starts them.
   *
   * @throws `job.not_found` (404): there is no such job.
   * @throws `job.not_startable` (422): the job's state does not allow it.
   */
  start(input: JobInput): Promise<JobRecord>;
  /**
   * Records that a job has ended. If the job was ended otherwise in the meantime, the call changes nothing, because agents may
   * report late.
   *
   * @throws `job.not_found` (404): there is no such job.
   * @throws `job.not_finishable` (422): the job has not been started.
   */
  finish(input: FinishInput): Promise<JobRecord>;
  /**
   * Releases a job that an agent has accepted but has not started to its queue.
   *
   * @throws `job.not_found` (404): there is no such job.
   * @throws `job.not_releasable` (422): the job's state does not allow it.
   */
  release(input: JobInput): Promise<JobRecord>;
  /**
   * Retries a finished job. Its build continues, even if it was finished (decisions 6). The reply is the new job.
   *
   * @throws `job.not_found` (404): there is no such job.
   * @throws `job.not_retriable.retried` (422): the job has been retried already.
   * @throws `job.not_retriable.state` (422): the type or the state of the job does not allow it.
   * @throws `job.not_retriable.build` (422): the state of its build does not allow it.
   * @throws `job.not_retriable.queue_deleted` (422): the job's queue has been deleted.
   */
  retry(input: JobInput): Promise<JobRecord>;
  /**
   * Unblocks a block step that the build has reached, so that the build continues. The reply is the job of the block step.
   *
   * @throws `job.not_found` (404): there is no such job.
   * @throws `job.not_unblockable` (422): the job is no block step, or its build has not reached it.
   */
  unblock(input: JobInput): Promise<JobRecord>;
}

/** Identifies a job. */
export interface JobInput {
  /** Id of the job. */
  readonly job: string;
}

/** The end of a job. */
export interface FinishInput extends JobInput {
  /** 0: passed. Any other: failed, perhaps softly, as the step says. -1: the exit status is not known. */
  readonly exit_status: number;
}

/** The functions of the runtime for API access tokens. */
export interface AccessTokensRuntime {
  /**
   * Issues an access token for a user. Only this reply has the token's text.
   *
   * @throws `user.not_found` (404): no user has that email.
   * @throws `organization.not_found` (404): no organization has one of the slugs.
   * @throws `access_token.not_a_member` (422): the user is not a member of one of the organizations.
   * @example
   * const { token } = await api.runtime.accessTokens.issue({ user: 'ada@acme.example', scopes: ['read_builds'] });
   */
  issue(input: IssueInput): Promise<IssuedToken>;
  /**
   * Revokes an access token. Revoking it again changes nothing.
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
  /** Slugs of the organizations that the token is limited to. Absent or null: all organizations of the user, also later ones. */
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

/** Identifies an access token. */
export interface RevokeInput {
  /** The id or the text of the token. */
  readonly token: string;
}

/** A revoked access token. */
export interface RevokedToken {
  readonly id: string;
}
