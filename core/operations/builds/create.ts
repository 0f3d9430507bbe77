import { command } from '../../contract/operation.js';
import { type Refusal, unprocessable } from '../../contract/refusal.js';
import { flag, type Infer, integer, nullable, open, optional, type Schema, text } from '../../contract/schema.js';
import type { Author, PullRequest, Row } from '../../model/index.js';
import { Build } from '../../representations/build.js';
import { branchAllowed, excludesAll } from './branch-filter.js';
import { type BuildContent, idsForBuild, loadBuildSite, newBuild } from './new-build.js';
import { presentOne } from './present.js';

/** Values that are not strings are taken as their text (decisions 7). */
const entries = (description: string) =>
  ({
    type: ['object', 'null'],
    additionalProperties: { type: ['string', 'number', 'boolean'], maxLength: 65_535 },
    propertyNames: { maxLength: 255 },
    maxProperties: 256,
    default: {},
    description,
  }) as Schema<Readonly<Record<string, string | number | boolean>> | null>;

/** Name and email, or neither: `{}` counts as absent (decisions 7). */
const NewAuthor = {
  ...open({ name: optional(text({ maxLength: 255 })), email: optional(text({ maxLength: 255 })) }),
  dependentRequired: { name: ['email'], email: ['name'] },
} as Schema<Partial<Author>>;

/** The body of spec 4.2. */
export const NewBuild = open(
  {
    commit: text({ minLength: 1, maxLength: 255, description: 'Ref, SHA or tag to build' }),
    branch: text({ minLength: 1, maxLength: 255, description: 'Branch the commit belongs to' }),
    author: optional(nullable(NewAuthor)),
    clean_checkout: optional(nullable(flag({ description: 'Force a fresh checkout' }))),
    env: optional(entries('Environment variables of the build')),
    ignore_pipeline_branch_filters: optional(nullable(flag({ description: 'Step filters still apply' }))),
    message: optional(nullable(text({ maxLength: 65_535 }))),
    meta_data: optional(entries('Meta-data of the build')),
    pull_request_base_branch: optional(nullable(text({ maxLength: 255 }))),
    pull_request_id: optional(
      nullable(
        integer({
          description: 'Pull request number',
          minimum: Number.MIN_SAFE_INTEGER,
          maximum: Number.MAX_SAFE_INTEGER,
        }),
      ),
    ),
    pull_request_repository: optional(nullable(text({ maxLength: 65_535 }))),
  },
  {
    title: 'NewBuild',
    description: 'What a client chooses of a new build',
    examples: [{ commit: 'HEAD', branch: 'main', message: 'Try it' }],
  },
);
type NewBuild = Infer<typeof NewBuild>;

export const create = command({
  id: 'builds.create',
  summary: 'Create a build',
  method: 'POST',
  path: '/v2/organizations/{organization}/pipelines/{pipeline}/builds',
  scope: 'write_builds',
  status: 201,
  body: NewBuild,
  problems: 'fields',
  reply: Build,
  refusals: { 422: 'The body is not valid, or the branch is excluded by the filter of the pipeline' },
  command: {
    load: ({ at, input, ...about }) =>
      refusedBranch(at.pipeline, input) ?? loadBuildSite(at.pipeline, input.branch, about),
    ids: idsForBuild,
    decide(site, given) {
      const { batch, made } = newBuild(site, contentOf(given.input), given);
      return { batch, reply: { ...made.build, jobs: made.jobs } };
    },
  },
  present: (build, call) => presentOne(build, call.caller.user, call.at, call),
});

async function refuse(refusal: Refusal) {
  return refusal;
}

function refusedBranch(pipeline: Row<'pipeline'>, { branch, ignore_pipeline_branch_filters }: NewBuild) {
  const filter = pipeline.branch_configuration;
  if (ignore_pipeline_branch_filters === true || branchAllowed(filter, branch)) return undefined;
  if (excludesAll(filter)) return refuse(unprocessable('Branches have been disabled for this pipeline'));
  return refuse(unprocessable(`The branch ${branch} is excluded by this pipeline's branch filter`));
}

function contentOf(input: NewBuild): BuildContent {
  return {
    commit: input.commit,
    branch: input.branch,
    message: input.message ?? null,
    env: asStrings(input.env),
    meta_data: asStrings(input.meta_data),
    author: authorOf(input.author),
    pull_request: pullRequestOf(input),
    clean_checkout: input.clean_checkout ?? false,
    rebuilt_from: null,
  };
}

function authorOf(author: NewBuild['author']): Author | null {
  const { name, email } = author ?? {};
  return name === undefined || email === undefined ? null : { name, email };
}

function pullRequestOf(input: NewBuild): PullRequest | null {
  if (typeof input.pull_request_id !== 'number') return null;
  return {
    id: String(input.pull_request_id),
    base: input.pull_request_base_branch ?? null,
    repository: input.pull_request_repository ?? null,
  };
}

const asStrings = (values: NewBuild['env']): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(values ?? {}).map(([key, value]) => [key, String(value)]));
