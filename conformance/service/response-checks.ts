import { ErrorBody, operationOf, schemaViolations } from '../api/index.js';
import { coverage } from './coverage.js';
import type { WireRequest, WireResponse } from './wire.js';

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
    const success = operation.success;
    if (status !== success) violations.push(`status ${status}, not ${success}`);
  }
  if (status === 204 || request.method === 'HEAD') {
    if (operation) coverage.record(operation, status, undefined, undefined);
    if (response.text !== '') violations.push('a body where none is allowed');
    if (status === 204 && headers['content-type'] !== undefined) violations.push('a Content-Type without a body');
    return violations;
  }
  expectHeader('content-type', 'application/json; charset=utf-8');
  const schema = status >= 400 || operation === undefined ? ErrorBody : operation.reply;
  const body = parseJson(response.text);
  if (operation) coverage.record(operation, status, schema, body);
  if (body === undefined) return [...violations, `the body is not JSON: ${response.text.slice(0, 100)}`];
  return [...violations, ...(schema ? schemaViolations(schema, body) : ['a body where none is allowed'])];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
