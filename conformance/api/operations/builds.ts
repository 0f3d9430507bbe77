import { stateFilter } from '../build-states.js';
import type { Operation } from '../operation.js';
import { arrayOf, flag, mapOf, oneOf, orNull, requestBody, text, uuid } from '../schema.js';
import { Build } from '../schemas/build.js';

/** The query parameters of the lists of builds (spec 4.2). */
const filters: NonNullable<Operation['query']> = {
  branch: { form: 'array', schema: arrayOf(text, { maxItems: 100 }) },
  commit: { form: 'array', schema: arrayOf(text, { maxItems: 100 }) },
  created_from: { form: 'single', schema: { type: 'string', format: 'date-time' } },
  created_to: { form: 'single', schema: { type: 'string', format: 'date-time' } },
  creator: { form: 'single', schema: uuid },
  finished_from: { form: 'single', schema: { type: 'string', format: 'date-time' } },
  include_retried_jobs: { form: 'single', schema: flag },
  meta_data: { form: 'map', schema: mapOf(text, { maxProperties: 100 }) },
  state: {
    form: 'array',
    schema: arrayOf(oneOf(...Object.keys(stateFilter)), { maxItems: 100 }),
  },
};

export const buildsOperations: readonly Operation[] = [
  {
    id: 'builds.listAll',
    form: 'list',
    method: 'GET',
    path: '/v2/builds',
    scope: 'read_builds',
    success: 200,
    errors: [400, 401, 403, 500, 503],
    query: filters,
    reply: arrayOf(Build),
  },
  {
    id: 'builds.listByOrganization',
    form: 'list',
    method: 'GET',
    path: '/v2/organizations/{organization}/builds',
    scope: 'read_builds',
    success: 200,
    errors: [400, 401, 403, 404, 500, 503],
    query: filters,
    reply: arrayOf(Build),
  },
  {
    id: 'builds.listByPipeline',
    form: 'list',
    method: 'GET',
    path: '/v2/organizations/{organization}/pipelines/{pipeline}/builds',
    scope: 'read_builds',
    success: 200,
    errors: [400, 401, 403, 404, 500, 503],
    query: filters,
    reply: arrayOf(Build),
  },
  {
    id: 'builds.get',
    form: 'read',
    method: 'GET',
    path: '/v2/organizations/{organization}/pipelines/{pipeline}/builds/{build}',
    scope: 'read_builds',
    success: 200,
    errors: [400, 401, 403, 404, 500, 503],
    query: {
      include_retried_jobs: { form: 'single', schema: flag },
    },
    reply: Build,
  },
  {
    id: 'builds.create',
    form: 'command',
    method: 'POST',
    path: '/v2/organizations/{organization}/pipelines/{pipeline}/builds',
    scope: 'write_builds',
    success: 201,
    errors: [400, 401, 403, 404, 409, 413, 415, 422, 500, 503],
    body: requestBody(
      {
        commit: { type: 'string', minLength: 1, maxLength: 255 },
        branch: { type: 'string', minLength: 1, maxLength: 255 },
      },
      {
        author: orNull(
          requestBody(
            {},
            {
              name: { type: 'string', maxLength: 255 },
              email: { type: 'string', maxLength: 255 },
            },
            { dependentRequired: { name: ['email'], email: ['name'] } },
          ),
        ),
        clean_checkout: orNull(flag),
        env: orNull(
          mapOf(
            { type: ['string', 'number', 'boolean'], maxLength: 65535 },
            { propertyNames: { maxLength: 255 }, maxProperties: 256 },
          ),
        ),
        ignore_pipeline_branch_filters: orNull(flag),
        message: orNull({ type: 'string', maxLength: 65535 }),
        meta_data: orNull(
          mapOf(
            { type: ['string', 'number', 'boolean'], maxLength: 65535 },
            { propertyNames: { maxLength: 255 }, maxProperties: 256 },
          ),
        ),
        pull_request_base_branch: orNull({ type: 'string', maxLength: 255 }),
        pull_request_id: orNull({ type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }),
        pull_request_repository: orNull({ type: 'string', maxLength: 65535 }),
      },
    ),
    reply: Build,
  },
  {
    id: 'builds.cancel',
    form: 'command',
    method: 'PUT',
    path: '/v2/organizations/{organization}/pipelines/{pipeline}/builds/{build}/cancel',
    scope: 'write_builds',
    success: 200,
    errors: [400, 401, 403, 404, 409, 413, 415, 422, 500, 503],
    reply: Build,
  },
  {
    id: 'builds.rebuild',
    form: 'command',
    method: 'PUT',
    path: '/v2/organizations/{organization}/pipelines/{pipeline}/builds/{build}/rebuild',
    scope: 'write_builds',
    success: 200,
    errors: [400, 401, 403, 404, 409, 413, 415, 500, 503],
    reply: Build,
  },
];
