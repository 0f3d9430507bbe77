import type { Row } from '../../core/model/index.js';
import { creatorOf, type OrganizationFixture } from './organization.js';
import type { Size } from './size.js';
import { idOf, pick, seededRandom, sha, timestamp } from './values.js';

export interface GeneratedBuild {
  readonly build: Row<'build'>;
  readonly jobs: readonly Row<'job'>[];
}

const kinds = { build: 32, job: 33 };
const branches = ['main', 'develop', 'release/24.1', 'fix/flaky-login', 'feat/dark-mode', 'feat/export', 'chore/deps'];

/** Generates all builds, pipeline by pipeline, the oldest first. */
export function* buildsOf(size: Size, fixture: OrganizationFixture): Generator<GeneratedBuild> {
  let offset = 0;
  for (const [pipelineIndex, count] of size.pipelines.entries()) {
    const last = pipelineIndex === size.pipelines.length - 1;
    for (let number = 1; number <= count; number += 1) {
      const waiting = last && number > count - size.cancelable;
      yield buildOf(fixture, { pipelineIndex, number, serial: offset + number, waiting });
    }
    offset += count;
  }
}

interface BuildSpec {
  readonly pipelineIndex: number;
  readonly number: number;
  /** Number of the build among those of all pipelines. */
  readonly serial: number;
  /** Whether none of its jobs has started. */
  readonly waiting: boolean;
}

function buildOf(fixture: OrganizationFixture, { pipelineIndex, number, serial, waiting }: BuildSpec): GeneratedBuild {
  const pipeline = fixture.pipelines[pipelineIndex] as Row<'pipeline'>;
  const created = 200_000 + number * 600 + pipelineIndex * 7;
  const user = pick(fixture.users, serial, 1);
  const state = waiting
    ? 'scheduled'
    : seededRandom(serial, 2) < 0.7
      ? 'passed'
      : seededRandom(serial, 2) < 0.95
        ? 'failed'
        : 'canceled';
  const commit = sha(`commit ${serial}`);
  const request = serial % 1_000;
  const build: Row<'build'> = {
    id: idOf(kinds.build, serial),
    version: waiting ? 1 : 3,
    organization_id: pipeline.organization_id,
    pipeline_id: pipeline.id,
    number,
    state,
    cancel_reason: waiting ? null : state === 'canceled' ? `Canceled by ${user.name}` : null,
    message: `Make ${pick(things, serial, 3)} ${pick(wishes, serial, 4)} (#${request})\n\nSeen in build ${number}; see the discussion there.`,
    commit,
    branch: seededRandom(serial, 5) < 0.4 ? 'main' : pick(branches, serial, 6),
    env: { NODE_ENV: 'test', DEPLOY_TARGET: `staging-${serial % 7}`, TRACE: commit.slice(0, 16) },
    source: 'api',
    creator_id: user.id,
    author: { name: user.name, email: user.email },
    meta_data: { release: `v${Math.floor(number / 100)}.${number % 100}`, 'test:suite': pick(things, serial, 7) },
    pull_request: { id: String(request), base: 'main', repository: pipeline.repository },
    rebuilt_from: { id: idOf(kinds.build, Math.max(1, serial - 1)), number: Math.max(1, number - 1) },
    clean_checkout: false,
    created_at: timestamp(created),
    scheduled_at: timestamp(created),
    started_at: waiting ? null : timestamp(created + 4),
    finished_at: waiting ? null : timestamp(created + 64),
  };
  const failing = state === 'passed' ? -1 : serial % pipeline.steps.length;
  return {
    build,
    jobs: pipeline.steps.map((_, position) => jobOf({ fixture, pipeline, build, position, serial, failing })),
  };
}

interface JobSpec {
  readonly fixture: OrganizationFixture;
  readonly pipeline: Row<'pipeline'>;
  readonly build: Row<'build'>;
  readonly position: number;
  readonly serial: number;
  /** The position of the failed job. */
  readonly failing: number;
}

function jobOf({ fixture, pipeline, build, position, serial, failing }: JobSpec): Row<'job'> {
  const step = pipeline.steps[position] as Row<'pipeline'>['steps'][number];
  const waiting = build.state === 'scheduled';
  const failed = !waiting && position === failing;
  const agent = pick(fixture.agents, serial * 4 + position, 8);
  const creator = fixture.users.find(({ id }) => id === agent.creator_id);
  const from = Date.parse(build.created_at) + position * 9_000;
  const later = (seconds: number) => (waiting ? null : new Date(from + seconds * 1_000).toISOString());
  return {
    id: idOf(kinds.job, serial * 16 + position),
    version: waiting ? 1 : 4,
    organization_id: build.organization_id,
    pipeline_id: pipeline.id,
    build_id: build.id,
    build_number: build.number,
    pipeline_slug: pipeline.slug,
    position,
    type: 'script',
    name: step.name,
    step_key: step.key,
    step_id: step.id,
    signature: step.signature,
    agent_query_rules: step.agent_query_rules,
    state: waiting ? 'scheduled' : failed ? (build.state === 'canceled' ? 'canceled' : 'failed') : 'passed',
    script_path: step.script_path,
    command: step.command,
    artifact_paths: step.artifact_paths,
    soft_fail: false,
    soft_failed: false,
    automatic_retry: [],
    continue_on_failure: false,
    timeout_in_minutes: 30,
    exit_status: waiting ? null : failed ? 1 : 0,
    agent_id: waiting ? null : agent.id,
    agent: waiting
      ? null
      : {
          id: agent.id,
          name: agent.name,
          hostname: agent.hostname,
          ip_address: agent.ip_address,
          user_agent: agent.user_agent,
          connection_state: 'connected',
          creator: creator ? creatorOf(creator) : null,
          created_at: agent.created_at,
        },
    cluster_id: pipeline.cluster_id,
    cluster_queue_id: fixture.queue.id,
    parallel_group_index: waiting ? null : position,
    parallel_group_total: waiting ? null : pipeline.steps.length,
    matrix: waiting ? null : { node: '22', database: 'postgres' },
    retried: false,
    retried_in_job_id: null,
    retries_count: waiting ? null : 0,
    retry_type: null,
    retry_source: null,
    created_at: build.created_at,
    scheduled_at: build.created_at,
    runnable_at: build.created_at,
    started_at: later(4),
    finished_at: later(13),
  };
}

const things = [
  'the login page',
  'the importer',
  'retries',
  'the build matrix',
  'caching',
  'the search index',
  'uploads',
];
const wishes = [
  'faster',
  'smaller',
  'stricter about input',
  'survive a restart',
  'easier to read',
  'agree with the docs',
];
