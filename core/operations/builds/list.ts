import { list, read } from '../../contract/operation.js';
import {
  booleanParameter,
  choicesParameter,
  entriesParameter,
  type ParameterValues,
  textsParameter,
  timestampParameter,
  uuidParameter,
} from '../../contract/parameters.js';
import { type StateFilter, stateFilter } from '../../machines/index.js';
import { Build } from '../../representations/build.js';
import { showBuilds } from './show.js';

const includeRetried = booleanParameter('Include all retried job executions');

/** The filters that the three lists of builds share (spec 4.2). */
const filters = {
  branch: textsParameter('Builds on one of these branches'),
  commit: textsParameter('Builds of one of these commits; full SHAs only'),
  created_from: timestampParameter('Created at that time or after it'),
  created_to: timestampParameter('Created before that time'),
  creator: uuidParameter('Created by that user'),
  finished_from: timestampParameter('Finished at that time or after it'),
  include_retried_jobs: includeRetried,
  meta_data: entriesParameter('Builds with all of these entries in their meta-data'),
  state: choicesParameter(Object.keys(stateFilter) as StateFilter[], 'Builds in one of these states'),
};

function matching(query: ParameterValues<typeof filters>) {
  return {
    branch: query.branch,
    commit: query.commit,
    creator: query.creator,
    created_from: query.created_from,
    created_to: query.created_to,
    finished_from: query.finished_from,
    meta_data: query.meta_data,
    state: query.state && [...new Set(query.state.flatMap((value) => stateFilter[value]))],
  };
}

export const listAll = list({
  id: 'builds.listAll',
  summary: 'List all builds',
  description: 'Builds of all organizations and pipelines that the token may use, newest first.',
  method: 'GET',
  path: '/v2/builds',
  scope: 'read_builds',
  query: filters,
  of: Build,
  source: 'build.ofOrganizations',
  where: ({ caller, query }) => ({
    organizations: caller.organizations.map((membership) => membership.organization_id),
    ...matching(query),
  }),
  show: showBuilds,
});

export const listByOrganization = list({
  id: 'builds.listByOrganization',
  summary: "List an organization's builds",
  method: 'GET',
  path: '/v2/organizations/{organization}/builds',
  scope: 'read_builds',
  query: filters,
  of: Build,
  source: 'build.ofOrganizations',
  where: ({ at, query }) => ({ organizations: [at.organization.id], ...matching(query) }),
  show: showBuilds,
});

export const listByPipeline = list({
  id: 'builds.listByPipeline',
  summary: "List a pipeline's builds",
  method: 'GET',
  path: '/v2/organizations/{organization}/pipelines/{pipeline}/builds',
  scope: 'read_builds',
  query: filters,
  of: Build,
  source: 'build.ofPipeline',
  where: ({ at, query }) => ({ pipeline: at.pipeline.id, ...matching(query) }),
  show: showBuilds,
});

export const get = read({
  id: 'builds.get',
  summary: 'Get a build',
  method: 'GET',
  path: '/v2/organizations/{organization}/pipelines/{pipeline}/builds/{build}',
  scope: 'read_builds',
  query: { include_retried_jobs: includeRetried },
  reply: Build,
  show: showBuilds,
});
