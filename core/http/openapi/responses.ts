import { type ErrorCode, entriesByCode } from '../../errors/index.js';
import type { Operation } from '../../operations/contract/operation.js';
import { resolvers } from '../../operations/contract/resolvers.js';
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

/** Errors that are described once for all operations: by status, the name of the component, the meaning and the codes. */
const commonErrors: Readonly<
  Record<number, { readonly name: string; readonly description: string; readonly codes: readonly ErrorCode[] }>
> = {
  400: {
    name: 'BadRequest',
    description: 'The path, the query or the JSON of the body cannot be read',
    codes: ['query.malformed_escape', 'query.invalid_value', 'page.not_whole', 'body.invalid_json', 'body.not_object'],
  },
  401: {
    name: 'Unauthenticated',
    description: 'There is no valid access token',
    codes: ['request.unauthenticated'],
  },
  409: { name: 'Conflict', description: 'Too many others are changing the same record', codes: ['record.conflict'] },
  413: { name: 'TooLarge', description: 'The body is too large', codes: ['body.too_large'] },
  415: {
    name: 'Unsupported',
    description: 'The body is not sent as JSON in UTF-8',
    codes: ['body.unsupported_type', 'body.unsupported_charset'],
  },
  500: {
    name: 'Broken',
    description: 'Something is broken here; the answer shows nothing of it',
    codes: ['internal'],
  },
  503: {
    name: 'Unavailable',
    description: 'The database is away for the moment',
    codes: ['storage.unavailable'],
  },
};

/** An error response with an example for each code. Placeholders without a value are shown as `…`. */
function errorResponse(
  description: string,
  codes: readonly ErrorCode[],
  registry: SchemaRegistry,
  values: Readonly<Record<string, string | null>> = {},
): Json {
  const examples = codes.map((code) => {
    const { message, when, details } = entriesByCode[code];
    const text = message.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '…');
    const errors = details === 'errors' ? { errors: [{ field: 'commit', code: 'missing' }] } : {};
    return [code, { summary: when, value: { message: text, ...errors } }];
  });
  const extraHeaders = codes.flatMap((code) => Object.keys(entriesByCode[code].headers ?? {}));
  return {
    description,
    headers: headerRefs([...commonHeaders, ...extraHeaders]),
    content: { 'application/json': { schema: registry.toJson(ErrorBody), examples: Object.fromEntries(examples) } },
  };
}

/** Error responses that are the same for every operation, as components. */
export const sharedResponses = (registry: SchemaRegistry): Json =>
  Object.fromEntries(
    Object.values(commonErrors).map(({ name, description, codes }) => [
      name,
      errorResponse(description, codes, registry),
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
  const declared = (operation.errors ?? []).filter((code) => entriesByCode[code].status === status);
  const common = commonErrors[status];
  if (common && declared.length === 0) return { $ref: `#/components/responses/${common.name}` };
  if (common) {
    const description = `${describe(declared)} Or: ${common.description}`;
    return errorResponse(description, [...declared, ...common.codes], registry);
  }
  if (status === 403) return forbiddenResponse(operation, registry);
  if (status === 404) return notFoundResponse(path, registry);
  const codes = [...validationCodes(operation), ...declared];
  return errorResponse(describe(codes), codes, registry);
}

const describe = (codes: readonly ErrorCode[]): string => codes.map((code) => entriesByCode[code].when).join(' ');

/** What an invalid body is answered with; none where nothing is read of the body. */
function validationCodes(operation: Operation): readonly ErrorCode[] {
  if (operation.form !== 'command' || Object.keys(operation.body?.properties ?? {}).length === 0) return [];
  return [operation.validationErrors === 'fields' ? 'validation.fields_failed' : 'validation.failed'];
}

function forbiddenResponse(operation: Operation, registry: SchemaRegistry): Json {
  const { scope } = operation;
  const missingRight = operation.form === 'command' && operation.right !== undefined;
  const codes: ErrorCode[] = [
    ...(scope ? (['request.missing_scope'] as const) : []),
    ...(missingRight ? (['request.forbidden'] as const) : []),
  ];
  return errorResponse(describe(codes), codes, registry, { scope });
}

function notFoundResponse(path: string, registry: SchemaRegistry): Json {
  const codes = placeholders(path).map((name) => resolvers[name].notFound.code);
  return errorResponse(describe(codes), codes, registry);
}
