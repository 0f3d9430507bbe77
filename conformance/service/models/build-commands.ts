import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isApiError } from '../../../core/index.js';
import type { ParsedResponse, Service } from '../service.js';
import { BuildModel, type ModelAgent, type ModelBuild, type ModelJob } from './build-model.js';
import { commandCounter } from './command-counter.js';

/** All commands. Numbers select records of the model by index. */
export const command = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('create' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('connect' as const), agent: fc.nat(5) }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('accept' as const), agent: fc.nat(5) }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('start' as const), job: fc.nat() }) },
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('finish' as const), job: fc.nat(), exit: fc.constantFrom(0, 0, 0, 1, 7) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('unblock' as const), job: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('retry' as const), job: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('release' as const), job: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel' as const), build: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rebuild' as const), build: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('stop' as const), agent: fc.nat(5), force: fc.option(fc.boolean()) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('disconnect' as const), agent: fc.nat(5) }) },
);
export type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

export const buildsPath = '/v2/organizations/acme/pipelines/flow/builds';

/** Runs commands on the service and the model, and maps the ids of the service to the records of the model. */
export class ModelRunner {
  readonly model = new BuildModel();
  readonly #service: Service;
  readonly #agents: string[] = [];
  readonly #jobs = new Map<ModelJob, string>();

  constructor(service: Service) {
    this.#service = service;
  }

  /** Runs one command on both and compares the outcomes. */
  async runCommand(chosenCommand: Command): Promise<void> {
    this.#service.clock.advance(1);
    this.model.time += 1;
    if (!this.#hasTarget(chosenCommand)) return;
    commandCounter.count += 1;
    switch (chosenCommand.do) {
      case 'create':
        return this.#addBuild(
          await this.#service.send('POST', buildsPath, { body: { commit: 'HEAD', branch: 'main' } }),
          201,
          null,
        );
      case 'connect':
        return this.#connect(chosenCommand.agent);
      case 'accept':
        return this.#accept(chosenCommand.agent);
      case 'stop':
        return this.#stop(chosenCommand.agent, chosenCommand.force);
      case 'disconnect':
        return this.#disconnect(chosenCommand.agent);
      case 'cancel':
      case 'rebuild':
        return this.#onBuild(chosenCommand);
      default:
        return this.#onJob(chosenCommand);
    }
  }

  /** Whether the command has a record to work on. The decisions do not define retries in canceled builds, so they are not tested. */
  #hasTarget(chosenCommand: Command): boolean {
    if (chosenCommand.do === 'create' || chosenCommand.do === 'connect') return true;
    if ('agent' in chosenCommand) return this.model.agents.length > 0;
    if (this.model.builds.length === 0) return false;
    return chosenCommand.do !== 'retry' || this.#job(chosenCommand.job).build.state !== 'canceled';
  }

  async #addBuild(response: ParsedResponse, status: number, rebuiltFrom: number | null): Promise<void> {
    assert.equal(response.status, status);
    this.model.create(rebuiltFrom);
    assert.equal(response.body.number, this.model.builds.length);
  }

  async #connect(index: number): Promise<void> {
    const known = this.model.agents[index];
    const input = {
      token: Object.values(this.#service.agentTokens)[0] ?? '',
      name: `agent-${index}`,
      hostname: 'host',
      ip_address: '10.0.0.1',
      version: '1',
      ...(known ? { id: this.#agents[index] as string } : {}),
    };
    const legal = known === undefined || known.state === 'stopped' || known.state === 'disconnected';
    const agent = await expectOutcome(this.#service.api.runtime.agents.connect(input), legal);
    if (!agent) return;
    if (known) known.state = 'connected';
    else {
      this.#agents.push(agent.id);
      this.model.agents.push({ state: 'connected', job: undefined });
    }
  }

  #agent(index: number): { agent: ModelAgent; id: string } {
    const place = index % this.model.agents.length;
    return { agent: this.model.agents[place] as ModelAgent, id: this.#agents[place] as string };
  }

  #job(index: number): { build: ModelBuild; job: ModelJob } {
    const jobs = this.model.jobs();
    return jobs[index % jobs.length] as (typeof jobs)[number];
  }

  async #accept(index: number): Promise<void> {
    const { agent, id } = this.#agent(index);
    const legal = agent.state === 'connected' && agent.job === undefined;
    const job = await expectOutcome(this.#service.api.runtime.jobs.accept({ agent: id }), legal);
    if (!legal) return;
    const wanted = this.model.nextJob();
    assert.equal(job?.id, wanted && this.#jobs.get(wanted), 'the accepted job');
    this.model.accept(agent);
  }

  async #stop(index: number, force: boolean | null): Promise<void> {
    const { agent, id } = this.#agent(index);
    const body = force === null ? {} : { body: { force } };
    const response = await this.#service.send('PUT', `/v2/organizations/acme/agents/${id}/stop`, body);
    if (agent.state === 'connected') {
      assert.equal(response.status, 204);
      this.model.stop(agent, force ?? true);
    } else {
      assert.deepEqual([response.status, response.body], [400, { message: 'Can only stop connected agents' }]);
    }
  }

  async #disconnect(index: number): Promise<void> {
    const { agent, id } = this.#agent(index);
    const legal = agent.state === 'connected' || agent.state === 'stopping';
    if (await expectOutcome(this.#service.api.runtime.agents.disconnect({ agent: id }), legal))
      this.model.disconnect(agent);
  }

  async #onBuild(chosenCommand: Command & { do: 'cancel' | 'rebuild' }): Promise<void> {
    const index = chosenCommand.build % this.model.builds.length;
    const build = this.model.builds[index] as ModelBuild;
    const response = await this.#service.send('PUT', `${buildsPath}/${index + 1}/${chosenCommand.do}`);
    if (chosenCommand.do === 'rebuild') return this.#addBuild(response, 200, index + 1);
    if (['scheduled', 'running', 'failing'].includes(build.state)) {
      assert.equal(response.status, 200);
      this.model.cancel(build);
    } else {
      const reason = build.blocked ? 'blocked' : 'already finished';
      assert.deepEqual(
        [response.status, response.body],
        [422, { message: `Build can't be canceled because it's ${reason}.` }],
      );
    }
  }

  async #onJob(chosenCommand: Command & { job: number }): Promise<void> {
    const { build, job } = this.#job(chosenCommand.job);
    const id = this.#jobs.get(job) as string;
    const { runtime } = this.#service.api;
    if (chosenCommand.do === 'start') {
      if (await expectOutcome(runtime.jobs.start({ job: id }), job.state === 'accepted')) this.model.start(build, job);
    } else if (chosenCommand.do === 'release') {
      if (await expectOutcome(runtime.jobs.release({ job: id }), job.state === 'accepted')) this.model.release(job);
    } else if (chosenCommand.do === 'unblock') {
      const legal = job.key === 'gate' && job.state === 'blocked';
      if (await expectOutcome(runtime.jobs.unblock({ job: id }), legal)) this.model.unblock(build);
    } else if (chosenCommand.do === 'finish') {
      const isOpen = ['waiting', 'blocked', 'scheduled', 'accepted'].includes(job.state);
      const done = await expectOutcome(runtime.jobs.finish({ job: id, exit_status: chosenCommand.exit }), !isOpen);
      if (done && job.state === 'running') this.model.finish(build, job, chosenCommand.exit);
    } else if (chosenCommand.do === 'retry') {
      const legal = !job.retried && ['passed', 'failed'].includes(job.state) && !['wait', 'gate'].includes(job.key);
      if (await expectOutcome(runtime.jobs.retry({ job: id }), legal)) this.model.retry(build, job);
    }
  }

  /** Compares all records of the API with the model, and stores the ids of new jobs. */
  async compare(): Promise<void> {
    const { body } = await this.#service.send('GET', `${buildsPath}?per_page=100&include_retried_jobs=true`);
    const rendered = [...body].reverse();
    for (const [index, build] of this.model.builds.entries()) {
      for (const [place, job] of build.jobs.entries()) this.#jobs.set(job, rendered[index]?.jobs[place]?.id);
    }
    assert.deepEqual(
      rendered.map(renderedBuild),
      this.model.builds.map((build, index) => expectedBuild(build, index + 1)),
    );
    const agents = await Promise.all(
      this.#agents.map((id) => this.#service.send('GET', `/v2/organizations/acme/agents/${id}`)),
    );
    assert.deepEqual(
      agents.map(({ body: agent }) => ({ state: agent.connection_state, job: agent.job?.id ?? null })),
      this.model.agents.map((agent) => ({ state: agent.state, job: agent.job ? this.#jobs.get(agent.job) : null })),
    );
  }
}

/** The result of a runtime call, undefined if it was refused. Fails unless the outcome is the expected one. */
async function expectOutcome<T>(call: Promise<T>, legal: boolean): Promise<T | undefined> {
  try {
    const result = await call;
    assert.ok(legal, 'the call succeeded but should be refused');
    return result;
  } catch (error) {
    if (!isApiError(error)) throw error;
    assert.ok(!legal, `the call was refused but should succeed: ${error.message}`);
    assert.equal(error.output.statusCode, 422);
    return undefined;
  }
}

const expectedBuild = (build: ModelBuild, number: number) => ({
  number,
  state: build.state,
  blocked: build.blocked,
  rebuilt_from: build.rebuiltFrom,
  jobs: build.jobs.map((job) => [job.key, job.state, job.exit, job.soft, job.retried, job.retries]),
});

// biome-ignore lint/suspicious/noExplicitAny: the response was checked against its schema
const renderedBuild = (build: any) => ({
  number: build.number,
  state: build.state,
  blocked: build.blocked,
  rebuilt_from: build.rebuilt_from?.number ?? null,
  // biome-ignore lint/suspicious/noExplicitAny: the response was checked against its schema
  jobs: build.jobs.map((job: any) => [
    job.step_key,
    job.state,
    job.exit_status,
    job.soft_failed,
    job.retried,
    job.retries_count ?? 0,
  ]),
});
