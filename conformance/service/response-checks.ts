import { isApiError } from '../../core/errors/index.js';
import { replySchema } from '../../core/http/openapi/index.js';
import { router, splitTarget } from '../../core/http/router.js';
import type { Operation } from '../../core/operations/contract/operation.js';
import { successStatus } from '../../core/operations/contract/statuses.js';
import { operations } from '../../core/operations/index.js';
import { ErrorBody } from '../../core/representations/error.js';
import type { Schema } from '../../core/schema/schema.js';
import { compile } from '../../core/schema/validation.js';
import { coverage } from './coverage.js';
import type { WireRequest, WireResponse } from './wire.js';

const routes = router(
  operations.map((operation) => ({
    methods: [operation.method, ...(operation.alsoMethods ?? [])],
    paths: [operation.path, ...(operation.alsoPaths ?? [])],
    target: operation,
  })),
);

/** The operation of a request, if it has one. */
export function operationOf({ method, target }: Pick<WireRequest, 'method' | 'target'>): Operation | undefined {
  const match = routes.match(method, splitTarget(target).path);
  return isApiError(match) ? undefined : match.route;
}

const listSchemas = new WeakMap<Operation, Schema>();

function schemaFor(operation: Operation | undefined, response: WireResponse): Schema | undefined {
  if (response.status >= 400 || operation === undefined) return ErrorBody;
  const known = listSchemas.get(operation) ?? replySchema(operation);
  if (known && operation.form === 'list') listSchemas.set(operation, known);
  return known;
}

/**
 * Checks the rules for all responses: headers (spec 1.7, decisions 1), the body against the schema of its operation, and errors as
 * JSON with a message. Returns a description of each violation. `fault` is the status of a fault that the case caused.
 */
export async function responseViolations(
  request: WireRequest,
  response: WireResponse,
  fault?: number,
): Promise<string[]> {
  const violations: string[] = [];
  const { headers, status } = response;
  const expectHeader = (name: string, value: string) => {
    if (headers[name] !== value) violations.push(`${name} is ${headers[name]}, not ${value}`);
  };
  expectHeader('access-control-allow-origin', '*');
  expectHeader('access-control-expose-headers', 'Link');
  if (!/^[A-Za-z0-9._-]{1,128}$/.test(headers['x-request-id'] ?? '')) violations.push('X-Request-Id is missing');
  if (status >= 500 && status !== fault) violations.push(`status ${status}`);
  const operation = request.method === 'OPTIONS' ? undefined : operationOf(request);
  if (operation && status < 400) {
    const success = successStatus(operation);
    if (status !== success) violations.push(`status ${status}, not ${success}`);
  }
  if (status === 204 || request.method === 'HEAD') {
    if (operation) coverage.record(operation, status, undefined, undefined);
    if (response.text !== '') violations.push('a body where none is allowed');
    if (status === 204 && headers['content-type'] !== undefined) violations.push('a Content-Type without a body');
    return violations;
  }
  expectHeader('content-type', 'application/json; charset=utf-8');
  const schema = schemaFor(operation, response);
  const body = parseJson(response.text);
  if (operation) coverage.record(operation, status, schema, body);
  if (body === undefined) return [...violations, `the body is not JSON: ${response.text.slice(0, 100)}`];
  return [...violations, ...(await schemaViolations(schema, body))];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function schemaViolations(schema: Schema | undefined, body: unknown): Promise<string[]> {
  if (schema === undefined) return ['a body where none is allowed'];
  const check = await compile(schema);
  if (check.Check(body)) return [];
  const [, errors] = check.Errors(body);
  return errors.map((error) => `body${error.instancePath} violates ${error.keyword} ${JSON.stringify(error.params)}`);
}
