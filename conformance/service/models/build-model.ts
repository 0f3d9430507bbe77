/**
 * A small model of the service with one pipeline. Its builds have two scripts (the second may fail), a wait step, a manual step,
 * and a last script with one automatic retry after exit status 7. The model follows the decisions and shares only wire types with
 * the core.
 */
export type StepKey = 'first' | 'soft' | 'wait' | 'gate' | 'last';

export interface ModelJob {
  readonly key: StepKey;
  state: string;
  soft: boolean;
  retried: boolean;
  exit: number | null;
  retries: number;
  runnable: number;
  /** Position in the order of creation. */
  readonly createdOrder: number;
}

export interface ModelBuild {
  state: string;
  blocked: boolean;
  readonly jobs: ModelJob[];
  readonly rebuiltFrom: number | null;
}

export interface ModelAgent {
  state: 'connected' | 'stopping' | 'stopped' | 'disconnected';
  job: ModelJob | undefined;
}

const finishedStates = ['passed', 'failed', 'canceled'];
const endedStates = ['passed', 'failed', 'canceled', 'unblocked', 'waiting_failed', 'blocked_failed', 'broken'];

export class BuildModel {
  readonly builds: ModelBuild[] = [];
  readonly agents: ModelAgent[] = [];
  time = 0;
  #jobCount = 0;

  create(rebuiltFrom: number | null): void {
    const build: ModelBuild = { state: 'scheduled', blocked: false, jobs: [], rebuiltFrom };
    for (const key of ['first', 'soft', 'wait', 'gate', 'last'] as const) build.jobs.push(this.#job(key));
    this.builds.push(build);
    this.#goOn(build);
  }

  #job(key: StepKey, retries = 0): ModelJob {
    this.#jobCount += 1;
    return {
      key,
      state: 'waiting',
      soft: false,
      retried: false,
      exit: null,
      retries,
      runnable: 0,
      createdOrder: this.#jobCount,
    };
  }

  jobs(): { build: ModelBuild; number: number; job: ModelJob }[] {
    return this.builds.flatMap((build, index) => build.jobs.map((job) => ({ build, number: index + 1, job })));
  }

  /** The job that an idle agent accepts next: the first that became runnable, then the first created. */
  nextJob(): ModelJob | undefined {
    const waiting = this.jobs().filter(({ job }) => job.state === 'scheduled');
    waiting.sort((a, b) => a.job.runnable - b.job.runnable || a.job.createdOrder - b.job.createdOrder);
    return waiting[0]?.job;
  }

  accept(agent: ModelAgent): ModelJob | undefined {
    const job = this.nextJob();
    if (job) job.state = 'accepted';
    agent.job = job;
    return job;
  }

  start(build: ModelBuild, job: ModelJob): void {
    job.state = 'running';
    if (build.state === 'scheduled') build.state = 'running';
    this.#goOn(build);
  }

  finish(build: ModelBuild, job: ModelJob, exit: number): void {
    job.state = exit === 0 ? 'passed' : 'failed';
    job.exit = exit;
    job.soft = job.key === 'soft' && exit !== 0;
    this.#free(job);
    if (job.key === 'last' && exit === 7 && !this.#hasRetriedItself(build)) this.#again(build, job, true);
    this.#goOn(build);
  }

  readonly #automatic = new Set<ModelBuild>();
  #hasRetriedItself = (build: ModelBuild): boolean => this.#automatic.has(build);

  #again(build: ModelBuild, job: ModelJob, byItself: boolean): void {
    if (byItself) this.#automatic.add(build);
    job.retried = true;
    build.jobs.splice(build.jobs.indexOf(job) + 1, 0, this.#job(job.key, job.retries + 1));
  }

  retry(build: ModelBuild, job: ModelJob): void {
    this.#again(build, job, false);
    if (finishedStates.includes(build.state) || build.blocked || build.state === 'failing') build.state = 'running';
    build.blocked = false;
    this.#goOn(build);
  }

  release(job: ModelJob): void {
    job.state = 'scheduled';
    this.#free(job);
  }

  unblock(build: ModelBuild): void {
    const gate = build.jobs.find((job) => job.key === 'gate');
    if (gate) gate.state = 'unblocked';
    build.blocked = false;
    build.state = 'running';
    this.#goOn(build);
  }

  cancel(build: ModelBuild): void {
    for (const job of build.jobs) {
      if (endedStates.includes(job.state)) continue;
      job.state = 'canceled';
      this.#free(job);
    }
    build.state = 'canceled';
  }

  stop(agent: ModelAgent, force: boolean): void {
    const busy = agent.job;
    if (busy && !force) {
      agent.state = 'stopping';
      return;
    }
    agent.state = 'stopped';
    agent.job = undefined;
    const build = this.builds.find((candidate) => busy && candidate.jobs.includes(busy));
    if (build && busy) this.cancel(build);
  }

  disconnect(agent: ModelAgent): void {
    const busy = agent.job;
    agent.state = 'disconnected';
    agent.job = undefined;
    const build = this.builds.find((candidate) => busy && candidate.jobs.includes(busy));
    if (!build || !busy) return;
    if (busy.state === 'running') this.finish(build, busy, -1);
    else busy.state = 'scheduled';
  }

  /** Frees the agent of an ended or released job. A stopping agent becomes stopped. */
  #free(job: ModelJob): void {
    for (const agent of this.agents) {
      if (agent.job !== job) continue;
      agent.job = undefined;
      if (agent.state === 'stopping') agent.state = 'stopped';
    }
  }

  /** Updates the other jobs and the build after a job changed its state. */
  #goOn(build: ModelBuild): void {
    const current = (key: StepKey) => build.jobs.find((job) => job.key === key && !job.retried) as ModelJob;
    const first = current('first');
    const soft = current('soft');
    const wait = current('wait');
    const gate = current('gate');
    const last = current('last');
    for (const job of [first, soft]) this.#schedule(job, true);
    const done = [first, soft].every((job) => finishedStates.includes(job.state));
    if (wait.state !== 'passed') {
      wait.state = !done ? 'waiting' : first.state === 'passed' ? 'passed' : 'waiting_failed';
    }
    if (gate.state !== 'unblocked') {
      gate.state = { waiting: 'waiting', waiting_failed: 'broken', passed: 'blocked' }[wait.state] ?? gate.state;
      if (wait.state === 'passed' && (!done || first.state !== 'passed'))
        gate.state = done ? 'blocked_failed' : 'waiting';
    }
    const before = gate.state;
    if (!finishedStates.includes(last.state) && !['scheduled', 'accepted', 'running'].includes(last.state)) {
      if (before === 'unblocked') this.#schedule(last, true);
      else last.state = { waiting: 'waiting', blocked: 'blocked' }[before] ?? 'broken';
    }
    this.#conclude(build);
  }

  #schedule(job: ModelJob, ready: boolean): void {
    if (!ready || job.state !== 'waiting') {
      if (job.state !== 'blocked' && job.state !== 'broken') return;
    }
    job.state = 'scheduled';
    job.runnable = this.time;
  }

  #conclude(build: ModelBuild): void {
    const jobs = build.jobs.filter((job) => !job.retried);
    const failed = jobs.some((job) => job.state === 'failed' && !job.soft);
    const open = jobs.filter((job) => !endedStates.includes(job.state));
    if (open.length === 0) build.state = failed ? 'failed' : 'passed';
    else if (open.every((job) => job.state === 'blocked')) {
      build.blocked = true;
      build.state = failed ? 'failed' : 'passed';
    } else if (failed) build.state = 'failing';
  }
}
