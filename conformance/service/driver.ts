import type { FixtureRecord, Runtime } from '../../core/index.js';
import { organizationFixture } from './fixture.js';
import type { Fixture, ParsedResponse, SendOptions, Service } from './service.js';

/** `organizationFixture('acme')` with one pipeline that has the given columns, and without agents and builds. */
export function pipelineFixture(pipeline: Partial<FixtureRecord<'pipelines'>>): Fixture {
  const base = organizationFixture('acme');
  const web = (base.pipelines ?? []).filter(({ slug }) => slug === 'web').map((one) => ({ ...one, ...pipeline }));
  const teams = (base.teams ?? []).map((team) => ({
    ...team,
    pipelines: (team.pipelines ?? []).filter((access) => access.pipeline === 'web'),
  }));
  return { ...base, agents: [], builds: [], pipelines: web, teams };
}

type ConnectInput = Parameters<Runtime['agents']['connect']>[0];

/** Common steps of cases: connecting agents, running jobs, and creating builds. */
export class Driver {
  readonly #service: Service;

  constructor(service: Service) {
    this.#service = service;
  }

  get runtime(): Runtime {
    return this.#service.api.runtime;
  }

  /** Connects an agent to the cluster of acme and returns its id. */
  async connect(name: string, changes: Partial<ConnectInput> = {}): Promise<string> {
    const token = this.#service.agentTokens['acme cluster'] ?? '';
    const input = { name, hostname: 'host', ip_address: '10.0.0.1', version: '1' };
    return (await this.runtime.agents.connect({ token, ...input, ...changes })).id;
  }

  /** Accepts and starts the next job for an agent, and returns the id of the job. */
  async startNextJob(agent: string): Promise<string> {
    const job = await this.runtime.jobs.accept({ agent });
    if (!job) throw new Error('the agent got no job');
    await this.runtime.jobs.start({ job: job.id });
    return job.id;
  }

  /** Runs the next job of an agent to its end, and returns the id of the job. */
  async runNextJob(agent: string, exitStatus = 0): Promise<string> {
    const job = await this.startNextJob(agent);
    await this.runtime.jobs.finish({ job, exit_status: exitStatus });
    return job;
  }

  agent(id: string): Promise<ParsedResponse> {
    return this.#service.send('GET', `/v2/organizations/acme/agents/${id}`);
  }

  stop(id: string, options: SendOptions = {}): Promise<ParsedResponse> {
    return this.#service.send('PUT', `/v2/organizations/acme/agents/${id}/stop`, options);
  }

  /** Creates a build of the pipeline `web`. */
  create(changes: object = {}): Promise<ParsedResponse> {
    return this.#service.send('POST', buildsPath, { body: { commit: 'HEAD', branch: 'main', ...changes } });
  }

  build(number: number, query = ''): Promise<ParsedResponse> {
    return this.#service.send('GET', `${buildsPath}/${number}${query}`);
  }

  cancel(number: number): Promise<ParsedResponse> {
    return this.#service.send('PUT', `${buildsPath}/${number}/cancel`);
  }

  rebuild(number: number, options: SendOptions = {}): Promise<ParsedResponse> {
    return this.#service.send('PUT', `${buildsPath}/${number}/rebuild`, options);
  }

  /** The states of the jobs of a build in order, including retried jobs. */
  async jobStates(number: number): Promise<string[]> {
    const { body } = await this.build(number, '?include_retried_jobs=true');
    return body.jobs.map((job: { state: string }) => job.state);
  }
}

export const buildsPath = '/v2/organizations/acme/pipelines/web/builds';
