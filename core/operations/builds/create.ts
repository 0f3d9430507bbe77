import { branchAllowed, excludesAll } from '../../commands/branch-filter.js';
import { type BuildContent, countBuildIds, loadNewBuildRecords, newBuild } from '../../commands/new-build.js';
import { type ApiError, errors } from '../../errors/index.js';
import type { Author, PullRequest, Row } from '../../model/index.js';
import { Build } from '../../representations/build.js';
import {
  boolean,
  type Infer,
  integer,
  looseObject,
  nullable,
  optional,
  type Schema,
  string,
} from '../../schema/schema.js';
import { command } from '../contract/operation.js';
import { renderBuildWithPipeline } from './render-build.js';

/** Values that are not strings are taken as their text (decisions 7). */
const stringMap = (description: string) =>
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
  ...looseObject({ name: optional(string({ maxLength: 255 })), email: optional(string({ maxLength: 255 })) }),
  dependentRequired: { name: ['email'], email: ['name'] },
} as Schema<Partial<Author>>;

/** The body of spec 4.2. */
export const NewBuild = looseObject(
  {
    commit: string({ minLength: 1, maxLength: 255, description: 'Ref, SHA or tag to build' }),
    branch: string({ minLength: 1, maxLength: 255, description: 'Branch the commit belongs to' }),
    author: optional(nullable(NewAuthor)),
    clean_checkout: optional(nullable(boolean({ description: 'Force a fresh checkout' }))),
    env: optional(stringMap('Environment variables of the build')),
    ignore_pipeline_branch_filters: optional(nullable(boolean({ description: 'Step filters still apply' }))),
    message: optional(nullable(string({ maxLength: 65_535 }))),
    meta_data: optional(stringMap('Meta-data of the build')),
    pull_request_base_branch: optional(nullable(string({ maxLength: 255 }))),
    pull_request_id: optional(
      nullable(
        integer({
          description: 'Pull request number',
          minimum: Number.MIN_SAFE_INTEGER,
          maximum: Number.MAX_SAFE_INTEGER,
        }),
      ),
    ),
    pull_request_repository: optional(nullable(string({ maxLength: 65_535 }))),
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
  validationErrors: 'fields',
  reply: Build,
  errors: ['build.branches_disabled', 'build.branch_excluded'],
  command: {
    load: ({ records, input, ...context }) =>
      checkBranchFilter(records.pipeline, input) ?? loadNewBuildRecords(records.pipeline, input.branch, context),
    ids: countBuildIds,
    decide(loaded, context) {
      const { batch, made } = newBuild(loaded, toBuildContent(context.input), context);
      return { batch, reply: { ...made.build, jobs: made.jobs } };
    },
  },
  render: (build, context) => renderBuildWithPipeline(build, context.caller.user, context.records, context),
});

async function asPromise(error: ApiError) {
  return error;
}

function checkBranchFilter(pipeline: Row<'pipeline'>, { branch, ignore_pipeline_branch_filters }: NewBuild) {
  const filter = pipeline.branch_configuration;
  if (ignore_pipeline_branch_filters === true || branchAllowed(filter, branch)) return undefined;
  if (excludesAll(filter)) return asPromise(errors.branchesDisabled());
  return asPromise(errors.branchExcluded({ branch }));
}

function toBuildContent(input: NewBuild): BuildContent {
  return {
    commit: input.commit,
    branch: input.branch,
    message: input.message ?? null,
    env: asStrings(input.env),
    meta_data: asStrings(input.meta_data),
    author: toAuthor(input.author),
    pull_request: toPullRequest(input),
    clean_checkout: input.clean_checkout ?? false,
    rebuilt_from: null,
  };
}

function toAuthor(author: NewBuild['author']): Author | null {
  const { name, email } = author ?? {};
  return name === undefined || email === undefined ? null : { name, email };
}

function toPullRequest(input: NewBuild): PullRequest | null {
  if (typeof input.pull_request_id !== 'number') return null;
  return {
    id: String(input.pull_request_id),
    base: input.pull_request_base_branch ?? null,
    repository: input.pull_request_repository ?? null,
  };
}

const asStrings = (values: NewBuild['env']): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(values ?? {}).map(([key, value]) => [key, String(value)]));
