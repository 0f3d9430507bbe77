import { MIMEType } from 'node:util';
import type { ApiRequest } from '../ports/index.js';
import { badRequest, Refusal, tooLarge, unsupported } from '../refusal.js';

const deepest = 64;

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Reads a body as a JSON object (decisions 1): empty is `{}`; 400 for what is not JSON, 413 beyond `limit` bytes, 415 for
 * other types. A form content type is read as JSON all the same, since a widely used script sends JSON under it.
 */
export async function readBody(request: ApiRequest, limit: number): Promise<JsonObject | Refusal> {
  const given = 'parsed' in request.body ? request.body.parsed : await request.body.read(limit);
  if (given === 'too_large' && 'read' in request.body) return tooLarge(limit);
  if (given === undefined || given === null || given === '') return {};
  if (given instanceof Uint8Array && given.length === 0) return {};
  const type = mediaType(request.headers['content-type']);
  if (type instanceof Refusal) return type;
  const object = isText(given) ? parse(given) : given;
  if (type === 'form' && !isText(given)) return isEmpty(given) ? {} : notJson();
  if (type === 'form' && (object instanceof Refusal || !isObject(object))) return notJson();
  if (object instanceof Refusal) return object;
  if (!isObject(object)) return badRequest('The request body must be a JSON object');
  return objection(object) ?? object;
}

const notJson = () => unsupported('Request bodies must be JSON (Content-Type: application/json)');

/** A form parser of the host gives an empty object where there was no body. */
const isEmpty = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;

const isText = (value: unknown): value is Uint8Array | string =>
  typeof value === 'string' || value instanceof Uint8Array;
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function mediaType(header: string | undefined): 'json' | 'form' | Refusal {
  if (header === undefined || header.trim() === '') return 'json';
  let type: MIMEType;
  try {
    type = new MIMEType(header);
  } catch {
    return notJson();
  }
  const charset = type.params.get('charset');
  if (charset !== null && !/^utf-?8$/i.test(charset)) return unsupported('Request bodies must be encoded in UTF-8');
  if (type.essence === 'application/x-www-form-urlencoded') return 'form';
  return type.essence === 'application/json' || type.subtype.endsWith('+json') ? 'json' : notJson();
}

function parse(given: Uint8Array | string): unknown {
  let text: string;
  try {
    text = typeof given === 'string' ? given : new TextDecoder('utf-8', { fatal: true }).decode(given);
  } catch {
    return badRequest('The request body is not valid UTF-8');
  }
  try {
    return JSON.parse(text);
  } catch {
    return badRequest('The request body is not valid JSON');
  }
}

/** Keys that could reach an object's prototype, and nesting beyond what any operation needs. */
function objection(root: JsonObject): Refusal | undefined {
  const open: [value: object, depth: number][] = [[root, 1]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, depth] = next;
    if (depth > deepest) return badRequest(`The request body is nested deeper than ${deepest} levels`);
    for (const [key, inner] of Object.entries(value)) {
      const isConstructor = key === 'constructor' && isObject(inner) && Object.hasOwn(inner, 'prototype');
      if (key === '__proto__' || isConstructor) return badRequest(`The request body has a forbidden key ${key}`);
      if (typeof inner === 'object' && inner !== null) open.push([inner, depth + 1]);
    }
  }
  return undefined;
}
