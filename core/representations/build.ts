import {
  choice,
  dictionary,
  exact,
  flag,
  type Infer,
  integer,
  list,
  nullable,
  text,
  timestamp,
  url,
  uuid,
} from '../contract/schema.js';
import { buildStates, isBlocked, type ShownBuildState, shownState } from '../machines/index.js';
import type { Creator, QueryRow } from '../model/index.js';
import { Job, presentJob } from './job.js';
import { graphqlId, type Links } from './links.js';
import { Pipeline } from './pipeline.js';
import { presentUserOrNull, User } from './user.js';

const shownStates = [...new Set(buildStates.map(shownState))] as ShownBuildState[];

/** A build (spec 2.4). */
export const Build = exact(
  {
    id: uuid(),
    graphql_id: text(),
    url: url(),
    web_url: url(),
    number: integer({ minimum: 1 }),
    state: choice(shownStates),
    cancel_reason: nullable(text()),
    blocked: flag(),
    message: nullable(text()),
    commit: text(),
    branch: text(),
    env: dictionary(text()),
    source: text(),
    creator: nullable(User),
    author: nullable(exact({ name: text(), email: text() })),
    jobs: list(Job),
    created_at: timestamp(),
    scheduled_at: timestamp(),
    started_at: nullable(timestamp()),
    finished_at: nullable(timestamp()),
    meta_data: dictionary(text()),
    pull_request: nullable(exact({ id: text(), base: nullable(text()), repository: nullable(text()) })),
    rebuilt_from: nullable(exact({ id: uuid(), number: integer(), url: url() })),
    pipeline: Pipeline,
  },
  { title: 'Build', description: 'A build of a pipeline with its jobs' },
);
export type Build = Infer<typeof Build>;

export type BuildRow = QueryRow<'build.ofPipeline'>;

/** What a build is shown with besides its own row. */
export interface BuildView {
  readonly organization: string;
  /** The pipeline's slug. */
  readonly pipeline: string;
  readonly creator: Creator | null;
  /** Whether retried executions are shown as well (spec 2.4, rule 2). */
  readonly includeRetried: boolean;
}

/** A build but for its pipeline, which stands last, and is the same in many builds. */
export function presentBuild(build: BuildRow, view: BuildView, links: Links): Omit<Build, 'pipeline'> {
  const { organization, pipeline } = view;
  const jobs = view.includeRetried ? build.jobs : build.jobs.filter((job) => !job.retried);
  return {
    id: build.id,
    graphql_id: graphqlId('Build', build.id),
    ...links.build(organization, pipeline, build.number),
    number: build.number,
    state: shownState(build.state),
    cancel_reason: build.cancel_reason,
    blocked: isBlocked(build.state),
    message: build.message,
    commit: build.commit,
    branch: build.branch,
    env: build.env,
    source: build.source,
    creator: presentUserOrNull(view.creator),
    author: build.author,
    jobs: jobs.map((job) => presentJob(job, organization, links)),
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
