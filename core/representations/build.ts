import { buildStates, isBlocked, type WireBuildState, wireState } from '../machines/index.js';
import type { Creator, QueryRow } from '../model/index.js';
import {
  array,
  boolean,
  enumeration,
  type Infer,
  integer,
  nullable,
  record,
  strictObject,
  string,
  timestamp,
  url,
  uuid,
} from '../schema/schema.js';
import { Job, renderJob } from './job.js';
import { graphqlId, type Links } from './links.js';
import { Pipeline } from './pipeline.js';
import { renderUserOrNull, User } from './user.js';

const wireStates = [...new Set(buildStates.map(wireState))] as WireBuildState[];

/** A build (spec 2.4). */
export const Build = strictObject(
  {
    id: uuid(),
    graphql_id: string(),
    url: url(),
    web_url: url(),
    number: integer({ minimum: 1 }),
    state: enumeration(wireStates),
    cancel_reason: nullable(string()),
    blocked: boolean(),
    message: nullable(string()),
    commit: string(),
    branch: string(),
    env: record(string()),
    source: string(),
    creator: nullable(User),
    author: nullable(strictObject({ name: string(), email: string() })),
    jobs: array(Job),
    created_at: timestamp(),
    scheduled_at: timestamp(),
    started_at: nullable(timestamp()),
    finished_at: nullable(timestamp()),
    meta_data: record(string()),
    pull_request: nullable(strictObject({ id: string(), base: nullable(string()), repository: nullable(string()) })),
    rebuilt_from: nullable(strictObject({ id: uuid(), number: integer(), url: url() })),
    pipeline: Pipeline,
  },
  { title: 'Build', description: 'A build of a pipeline with its jobs' },
);
export type Build = Infer<typeof Build>;

export type BuildRow = QueryRow<'build.ofPipeline'>;

/** The data that rendering a build needs in addition to its row. */
export interface BuildView {
  readonly organization: string;
  /** The pipeline's slug. */
  readonly pipeline: string;
  readonly creator: Creator | null;
  /** Whether retried jobs are included (spec 2.4, rule 2). */
  readonly includeRetried: boolean;
}

/** A build without its pipeline. The pipeline is the last property, and many builds share it, so it is rendered apart. */
export function renderBuild(build: BuildRow, view: BuildView, links: Links): Omit<Build, 'pipeline'> {
  const { organization, pipeline } = view;
  const jobs = view.includeRetried ? build.jobs : build.jobs.filter((job) => !job.retried);
  return {
    id: build.id,
    graphql_id: graphqlId('Build', build.id),
    ...links.build(organization, pipeline, build.number),
    number: build.number,
    state: wireState(build.state),
    cancel_reason: build.cancel_reason,
    blocked: isBlocked(build.state),
    message: build.message,
    commit: build.commit,
    branch: build.branch,
    env: build.env,
    source: build.source,
    creator: renderUserOrNull(view.creator),
    author: build.author,
    jobs: jobs.map((job) => renderJob(job, organization, links)),
    created_at: build.created_at,
    scheduled_at: build.scheduled_at,
    started_at: build.started_at,
    finished_at: build.finished_at,
    meta_data: build.meta_data,
    pull_request: build.pull_request,
    rebuilt_from: build.rebuilt_from && {
      ...build.rebuilt_from,
      url: links.build(organization, pipeline, build.rebuilt_from.number).url,
    },
  };
}
