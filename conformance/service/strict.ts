import { replySchema } from '../../core/contract/openapi/index.js';
import type { Operation } from '../../core/contract/operation.js';
import { Refusal } from '../../core/contract/refusal.js';
import { router, splitTarget } from '../../core/contract/router.js';
import type { Schema } from '../../core/contract/schema.js';
import { successOf } from '../../core/contract/statuses.js';
import { compile } from '../../core/contract/validation.js';
import { operations } from '../../core/operations/index.js';
import { ErrorBody } from '../../core/representations/error.js';
import { seen } from './coverage.js';
import type { WireAnswer, WireRequest } from './wire.js';

const routes = router(
  operations.map((operation) => ({
    methods: [operation.method, ...(operation.alsoMethods ?? [])],
    paths: [operation.path, ...(operation.alsoPaths ?? [])],
    to: operation,
  })),
);

/** The operation that a request reaches, if it reaches one. */
export function operationOf({ method, target }: Pick<WireRequest, 'method' | 'target'>): Operation | undefined {
  const match = routes.match(method, splitTarget(target).path);
  return match instanceof Refusal ? undefined : match.to;
}

const listSchemas = new WeakMap<Operation, Schema>();

function schemaFor(operation: Operation | undefined, answer: WireAnswer): Schema | undefined {
  if (answer.status >= 400 || operation === undefined) return ErrorBody;
  const known = listSchemas.get(operation) ?? replySchema(operation);
  if (known && operation.form === 'list') listSchemas.set(operation, known);
  return known;
}

/**
 * Checks what must hold of every answer, whatever was asked: headers (spec 1.7, decisions 1), the body against the schema of
 * its operation, errors as JSON with a message. Gives what is wrong, in words; nothing if all is well. `fault` is the status of
 * a fault that was brought about.
 */
export async function complaints(request: WireRequest, answer: WireAnswer, fault?: number): Promise<string[]> {
  const wrong: string[] = [];
  const { headers, status } = answer;
  const expectHeader = (name: string, value: string) => {
    if (headers[name] !== value) wrong.push(`${name} is ${headers[name]}, not ${value}`);
  };
  expectHeader('access-control-allow-origin', '*');
  expectHeader('access-control-expose-headers', 'Link');
  if (!/^[A-Za-z0-9._-]{1,128}$/.test(headers['x-request-id'] ?? '')) wrong.push('X-Request-Id is missing');
  if (status >= 500 && status !== fault) wrong.push(`status ${status}`);
  const operation = request.method === 'OPTIONS' ? undefined : operationOf(request);
  if (operation && status < 400) {
    const success = successOf(operation);
    if (status !== success) wrong.push(`status ${status}, not ${success}`);
  }
  if (status === 204 || request.method === 'HEAD') {
    if (operation) seen.note(operation, status, undefined, undefined);
    if (answer.text !== '') wrong.push('a body where there must be none');
    if (status === 204 && headers['content-type'] !== undefined) wrong.push('a Content-Type without a body');
    return wrong;
  }
  expectHeader('content-type', 'application/json; charset=utf-8');
  const schema = schemaFor(operation, answer);
  const body = jsonIn(answer.text);
  if (operation) seen.note(operation, status, schema, body);
  if (body === undefined) return [...wrong, `the body is not JSON: ${answer.text.slice(0, 100)}`];
  return [...wrong, ...(await bodyComplaints(schema, body))];
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function bodyComplaints(schema: Schema | undefined, body: unknown): Promise<string[]> {
  if (schema === undefined) return ['a body where there must be none'];
  const check = await compile(schema);
  if (check.Check(body)) return [];
  const [, errors] = check.Errors(body);
  return errors.map((error) => `body${error.instancePath} breaks ${error.keyword} ${JSON.stringify(error.params)}`);
}
