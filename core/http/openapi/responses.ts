import { type ApiError, errors } from '../../errors/index.js';
import type { Operation } from '../../operations/contract/operation.js';
import { type ResolverName, resolvers } from '../../operations/contract/resolvers.js';
import { statusesOf, successStatus } from '../../operations/contract/statuses.js';
import { ErrorBody } from '../../representations/error.js';
import { array, type Schema } from '../../schema/schema.js';
import { placeholders } from './parameters.js';
import type { Json, SchemaRegistry } from './schemas.js';

/** Response headers by name. */
const headers: Readonly<Record<string, Json>> = {
  'Access-Control-Allow-Origin': {
    description: 'Every origin may read the answer',
    schema: { type: 'string', const: '*' },
  },
  'Access-Control-Expose-Headers': {
    description: 'Which headers scripts of other origins may read',
    schema: { type: 'string' },
    example: 'Link',
  },
  'X-Request-Id': {
    description: "The request's own `X-Request-Id` if it had a sane one, else a new one",
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
  },
  Link: {
    description:
      'Absolute URLs of the pages `first`, `prev`, `next` and `last`, as far as there are such; absent if there is one page',
    schema: { type: 'string' },
    example: '<https://api.ci.test/v2/builds?page=2&per_page=30>; rel="next"',
  },
  'WWW-Authenticate': { description: 'How to authenticate', schema: { type: 'string', const: 'Bearer' } },
  'Retry-After': { description: 'After how many seconds to try again', schema: { type: 'integer' } },
};

const commonHeaders = ['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers', 'X-Request-Id'];

export const sharedHeaders = (): Json => headers;

const headerRefs = (names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Errors that every operation can return: name of the component, meaning, and an example. */
const commonErrors: Readonly<
  Record<number, { readonly name: string; readonly description: string; readonly example: ApiError }>
> = {
  400: {
    name: 'BadRequest',
    description: 'The path, the query or the JSON of the body cannot be read',
    example: errors.queryMalformed(),
  },
  401: { name: 'Unauthenticated', description: 'There is no valid access token', example: errors.unauthenticated() },
  409: { name: 'Conflict', description: 'Too many others are changing the same record', example: errors.conflict() },
  413: { name: 'TooLarge', description: 'The body is too large', example: errors.bodyTooLarge({ limit: 1_048_576 }) },
  415: {
    name: 'Unsupported',
    description: 'The body is not sent as JSON in UTF-8',
    example: errors.bodyUnsupportedType(),
  },
  500: {
    name: 'Broken',
    description: 'Something is broken here; the answer shows nothing of it',
    example: errors.internal(),
  },
  503: {
    name: 'Unavailable',
    description: 'The database is away for the moment',
    example: errors.storageUnavailable({ seconds: 1 }),
  },
};

function errorResponse(
  description: string,
  example: { message: string },
  registry: SchemaRegistry,
  extraHeaders: readonly string[] = [],
): Json {
  const content = { schema: registry.toJson(ErrorBody), example };
  return {
    description,
    headers: headerRefs([...commonHeaders, ...extraHeaders]),
    content: { 'application/json': content },
  };
}

/** Error responses that are the same for every operation, as components. */
export const sharedResponses = (registry: SchemaRegistry): Json =>
  Object.fromEntries(
    Object.values(commonErrors).map(({ name, description, example: { message, output } }) => [
      name,
      errorResponse(description, { message }, registry, Object.keys(output.headers)),
    ]),
  );

/** All responses of an operation at one of its paths, by status. */
export function responsesOf(operation: Operation, path: string, registry: SchemaRegistry): Json {
  return Object.fromEntries(
    statusesOf(operation).map((status) => [
      String(status),
      status === successStatus(operation)
        ? successResponse(operation, registry)
        : errorResponseOf(operation, status, path, registry),
    ]),
  );
}

function successResponse(operation: Operation, registry: SchemaRegistry): Json {
  const names = operation.form === 'list' ? [...commonHeaders, 'Link'] : commonHeaders;
  const schema = replySchema(operation);
  return {
    description: schema ? (operation.form === 'list' ? 'A page of the list' : 'Done') : 'Done; there is nothing to say',
    headers: headerRefs(names),
    ...(schema ? { content: { 'application/json': { schema: registry.toJson(schema) } } } : {}),
  };
}

/** The schema of the success response; undefined where it has no body. */
export const replySchema = (operation: Operation): Schema | undefined =>
  operation.form === 'list' ? array(operation.item) : operation.reply;

function errorResponseOf(operation: Operation, status: number, path: string, registry: SchemaRegistry): Json {
  const declared = operation.errorStatuses?.[status];
  const known = commonErrors[status];
  if (known && declared === undefined) return { $ref: `#/components/responses/${known.name}` };
  if (known) {
    return errorResponse(`${known.description}; or: ${declared}`, { message: known.example.message }, registry);
  }
  if (status === 403) return forbiddenResponse(operation, registry);
  if (status === 404) return notFoundResponse(path, registry);
  return errorResponse(
    declared ?? 'The body is not valid',
    { message: errors.validationFailed({ reasons: '…' }).message },
    registry,
  );
}

function forbiddenResponse(operation: Operation, registry: SchemaRegistry): Json {
  const missingRight = operation.form === 'command' && operation.right !== undefined;
  const reasons = [
    ...(operation.scope ? [`the token lacks the scope \`${operation.scope}\``] : []),
    ...(missingRight ? ['its user lacks the right to do that'] : []),
  ];
  const example = operation.scope ? errors.missingScope({ scope: operation.scope }) : errors.forbidden();
  return errorResponse(capitalized(reasons.join(', or ')), { message: example.message }, registry);
}

function notFoundResponse(path: string, registry: SchemaRegistry): Json {
  const labels = placeholders(path).map((name) => resolvers[name].label);
  const { message } = resolvers[placeholders(path).at(-1) as ResolverName].notFound();
  return errorResponse(`There is no such ${labels.join(', or no such ')}`, { message }, registry);
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
