import {
  booleanParameter,
  enumsParameter,
  mapParameter,
  type ParameterValues,
  stringsParameter,
  timestampParameter,
  uuidParameter,
} from '../../http/parameters.js';
import { type StateFilter, stateFilter } from '../../machines/index.js';
import { Build } from '../../representations/build.js';
import { list, read } from '../contract/operation.js';
import { renderCachedBuilds } from './render-cached-builds.js';

const includeRetried = booleanParameter('Include all retried job executions');

/** The filters that the three lists of builds share (spec 4.2). */
const filters = {
  branch: stringsParameter('Builds on one of these branches'),
  commit: stringsParameter('Builds of one of these commits; full SHAs only'),
  created_from: timestampParameter('Created at that time or after it'),
  created_to: timestampParameter('Created before that time'),
  creator: uuidParameter('Created by that user'),
  finished_from: timestampParameter('Finished at that time or after it'),
  include_retried_jobs: includeRetried,
  meta_data: mapParameter('Builds with all of these entries in their meta-data'),
  state: enumsParameter(Object.keys(stateFilter) as StateFilter[], 'Builds in one of these states'),
};

function toFilters(query: ParameterValues<typeof filters>) {
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
  item: Build,
  source: 'build.ofOrganizations',
  where: ({ caller, query }) => ({
    organizations: caller.organizations.map((membership) => membership.organization_id),
    ...toFilters(query),
  }),
  renderCached: renderCachedBuilds,
});

export const listByOrganization = list({
  id: 'builds.listByOrganization',
  summary: "List an organization's builds",
  method: 'GET',
  path: '/v2/organizations/{organization}/builds',
  scope: 'read_builds',
  query: filters,
  item: Build,
  source: 'build.ofOrganizations',
  where: ({ records, query }) => ({ organizations: [records.organization.id], ...toFilters(query) }),
  renderCached: renderCachedBuilds,
});

export const listByPipeline = list({
  id: 'builds.listByPipeline',
  summary: "List a pipeline's builds",
  method: 'GET',
  path: '/v2/organizations/{organization}/pipelines/{pipeline}/builds',
  scope: 'read_builds',
  query: filters,
  item: Build,
  source: 'build.ofPipeline',
  where: ({ records, query }) => ({ pipeline: records.pipeline.id, ...toFilters(query) }),
  renderCached: renderCachedBuilds,
});

export const get = read({
  id: 'builds.get',
  summary: 'Get a build',
  method: 'GET',
  path: '/v2/organizations/{organization}/pipelines/{pipeline}/builds/{build}',
  scope: 'read_builds',
  query: { include_retried_jobs: includeRetried },
  reply: Build,
  renderCached: renderCachedBuilds,
});
