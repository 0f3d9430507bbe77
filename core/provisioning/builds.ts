import { expandSteps, jobsOfSteps, type QueueIdsByKey } from '../commands/jobs-of-steps.js';
import { type BuildState, isUnfinished, isWithAgent } from '../machines/index.js';
import type { Row } from '../model/index.js';
import { snapshotOf } from '../runtime/jobs.js';
import { deriveJobs } from './derived-jobs.js';
import type { AgentRow, ExistingRecords } from './existing-records.js';
import { explicitJobs } from './explicit-jobs.js';
import type { FixtureRecord } from './fixture-schema.js';
import type { PlanDraft } from './plan-draft.js';
import { joinPath } from './problems.js';
import { buildTimes, jobTimes } from './times.js';

type BuildRecord = FixtureRecord<'builds'>;

/** A build with its jobs. A build without a number in the document has number 0 until it gets the pipeline's next number. */
export interface PlannedBuild {
  readonly build: Row<'build'>;
  readonly jobs: readonly Row<'job'>[];
  /** The slug of its pipeline. */
  readonly pipeline: string;
}

interface RegisteredBuild {
  readonly id: string;
  readonly organization: Row<'organization'> | undefined;
  readonly pipeline: Row<'pipeline'> | undefined;
}

/** Plans builds one after another, in the order of the document. */
export class BuildPlanner {
  readonly planned: PlannedBuild[] = [];
  /** The job of each agent and its path in the document, by the id of the agent. */
  readonly busyAgents = new Map<string, { readonly agent: AgentRow; readonly jobId: string; readonly path: string }>();
  readonly #draft: PlanDraft;
  readonly #sites: readonly RegisteredBuild[];
  /** Builds by pipeline and number. The path is null if the build exists in the storage. */
  readonly #numbered = new Map<string, { readonly id: string; readonly path: string | null }>();

  constructor(records: readonly BuildRecord[], draft: PlanDraft, existing: ExistingRecords) {
    this.#draft = draft;
    for (const { id, pipeline_id, number } of existing.builds)
      this.#numbered.set(`${pipeline_id} ${number}`, { id, path: null });
    this.#sites = records.map((record, index) => this.#register(record, joinPath('builds', index)));
  }

  /** Sets the id of a build and registers its number, so that other builds can refer to it in `rebuilt_from`. */
  #register(record: BuildRecord, path: string): RegisteredBuild {
    const id = this.#draft.idFor('build', record.id, path);
    const organization = this.#draft.referenceIndex.organization(record.organization, `${path}.organization`);
    const pipeline =
      organization && this.#draft.referenceIndex.pipeline(organization, record.pipeline, `${path}.pipeline`);
    const registered = { id, organization, pipeline };
    if (!pipeline || record.number === undefined) return registered;
    const address = `${pipeline.id} ${record.number}`;
    const conflicting = this.#numbered.get(address);
    if (conflicting) {
      const where = conflicting.path ? `, in ${conflicting.path}` : '';
      this.#draft.problems.add(`${path}.number: the pipeline has a build ${record.number} already${where}`);
    } else this.#numbered.set(address, { id, path });
    return registered;
  }

  plan(record: BuildRecord, index: number): void {
    const path = joinPath('builds', index);
    const { id, organization, pipeline } = this.#sites[index] as RegisteredBuild;
    if (!organization || !pipeline) return;
    const build = this.#build(record, id, pipeline, path);
    const queues =
      pipeline.cluster_id === null ? noQueues : this.#draft.referenceIndex.queueIdsByKey(pipeline.cluster_id);
    const jobSource = { pipeline, build, queues };
    const jobs = record.jobs
      ? explicitJobs(record.jobs, jobSource, path, this.#draft).map((job, place) => {
          const name = record.jobs?.[place]?.agent;
          return name == null
            ? job
            : this.#handOver(job, organization, name, `${joinPath(`${path}.jobs`, place)}.agent`);
        })
      : this.#jobsOfSteps(jobSource, path);
    for (const { state, cluster_id, cluster_queue_id } of jobs) {
      if (cluster_id && cluster_queue_id && isUnfinished(state))
        this.#draft.referenceIndex.useQueue(cluster_id, cluster_queue_id);
    }
    this.planned.push({ build, jobs, pipeline: pipeline.slug });
  }

  #build(record: BuildRecord, id: string, pipeline: Row<'pipeline'>, path: string): Row<'build'> {
    const state = this.#stateOf(record, path);
    return this.#draft.newRow<'build'>({
      id,
      organization_id: pipeline.organization_id,
      pipeline_id: pipeline.id,
      number: record.number ?? 0,
      state,
      cancel_reason: record.cancel_reason ?? null,
      message: record.message ?? null,
      commit: record.commit,
      branch: record.branch,
      env: record.env ?? {},
      source: record.source ?? 'api',
      creator_id: this.#draft.referenceIndex.userId(record.creator, `${path}.creator`),
      author: record.author ?? null,
      meta_data: record.meta_data ?? {},
      pull_request: record.pull_request ? { base: null, repository: null, ...record.pull_request } : null,
      rebuilt_from: record.rebuilt_from ? this.#rebuiltFrom(record.rebuilt_from.number, pipeline, path) : null,
      clean_checkout: record.clean_checkout ?? false,
      ...buildTimes(record, state, this.#draft.now),
    });
  }

  /** There are two internal blocked states, which are rendered as the state that the build had before (spec 2.4). */
  #stateOf({ state, blocked }: BuildRecord, path: string): BuildState {
    if (!blocked) return state ?? 'scheduled';
    if (state === undefined || state === 'passed') return 'blocked_passed';
    if (state !== 'failed') this.#draft.problems.add(`${path}.blocked: only passed and failed builds can be blocked`);
    return 'blocked_failed';
  }

  #rebuiltFrom(number: number, pipeline: Row<'pipeline'>, path: string): Row<'build'>['rebuilt_from'] {
    const source = this.#numbered.get(`${pipeline.id} ${number}`);
    if (!source) {
      const place = `${path}.rebuilt_from.number`;
      this.#draft.problems.add(`${place}: there is no build with the number ${number} in "${pipeline.slug}"`);
    }
    return source ? { id: source.id, number } : null;
  }

  #jobsOfSteps(
    jobSource: { readonly pipeline: Row<'pipeline'>; readonly build: Row<'build'>; readonly queues: QueueIdsByKey },
    path: string,
  ): Row<'job'>[] {
    const { build, pipeline } = jobSource;
    const ids = expandSteps(pipeline.steps).map(() => this.#draft.idSource.id());
    const fresh = jobsOfSteps(jobSource, ids, build.created_at);
    const jobs = deriveJobs(build.state, fresh);
    if (!jobs) this.#draft.problems.add(`${path}.blocked: the pipeline "${pipeline.slug}" has no block step`);
    return (jobs ?? fresh).map((job) => ({ ...job, ...jobTimes({}, job, build) }));
  }

  /** The job with a snapshot of its agent. An agent can have only one unfinished job. */
  #handOver(job: Row<'job'>, organization: Row<'organization'>, name: string, path: string): Row<'job'> {
    const agent = this.#draft.referenceIndex.agent(organization, name, path);
    if (!agent) return job;
    if (isWithAgent(job.state)) {
      const other = this.busyAgents.get(agent.id);
      if (other) this.#draft.problems.add(`${path}: the agent "${name}" has a job already, by ${other.path}`);
      else if (agent.job_id !== null) this.#draft.problems.add(`${path}: the agent "${name}" has a job already`);
      else this.busyAgents.set(agent.id, { agent, jobId: job.id, path });
    }
    return { ...job, agent_id: agent.id, agent: snapshotOf(agent) };
  }
}

const noQueues: QueueIdsByKey = new Map();
