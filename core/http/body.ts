import { MIMEType } from 'node:util';
import { type ApiError, errors, isApiError } from '../errors/index.js';
import type { ApiRequest } from '../ports/index.js';

const deepest = 64;

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Reads a body as a JSON object (decisions 1). An empty body is `{}`. Errors: 400 if it is not a JSON object, 413 above `limit`
 * bytes, 415 for other types. The form content type is accepted for JSON, since a widely used script sends JSON with it.
 */
export async function readBody(request: ApiRequest, limit: number): Promise<JsonObject | ApiError> {
  const given = 'parsed' in request.body ? request.body.parsed : await request.body.read(limit);
  if (given === 'too_large' && 'read' in request.body) return errors.bodyTooLarge({ limit });
  if (given === undefined || given === null || given === '') return {};
  if (given instanceof Uint8Array && given.length === 0) return {};
  const type = mediaType(request.headers['content-type']);
  if (isApiError(type)) return type;
  const object = isText(given) ? parse(given) : given;
  if (type === 'form' && !isText(given)) return isEmpty(given) ? {} : notJson();
  if (type === 'form' && (isApiError(object) || !isObject(object))) return notJson();
  if (isApiError(object)) return object;
  if (!isObject(object)) return errors.bodyNotObject();
  return objection(object) ?? object;
}

const notJson = () => errors.bodyUnsupportedType();

/** A form parser of the host gives an empty object where there was no body. */
const isEmpty = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;

const isText = (value: unknown): value is Uint8Array | string =>
  typeof value === 'string' || value instanceof Uint8Array;
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function mediaType(header: string | undefined): 'json' | 'form' | ApiError {
  if (header === undefined || header.trim() === '') return 'json';
  let type: MIMEType;
  try {
    type = new MIMEType(header);
  } catch {
    return notJson();
  }
  const charset = type.params.get('charset');
  if (charset !== null && !/^utf-?8$/i.test(charset)) return errors.bodyUnsupportedCharset();
  if (type.essence === 'application/x-www-form-urlencoded') return 'form';
  return type.essence === 'application/json' || type.subtype.endsWith('+json') ? 'json' : notJson();
}

function parse(given: Uint8Array | string): unknown {
  let text: string;
  try {
    text = typeof given === 'string' ? given : new TextDecoder('utf-8', { fatal: true }).decode(given);
  } catch {
    return errors.bodyInvalidUtf8();
  }
  try {
    return JSON.parse(text);
  } catch {
    return errors.bodyInvalidJson();
  }
}

/** Keys that could reach an object's prototype, and nesting beyond what any operation needs. */
function objection(root: JsonObject): ApiError | undefined {
  const open: [value: object, depth: number][] = [[root, 1]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, depth] = next;
    if (depth > deepest) return errors.bodyTooDeep({ limit: deepest });
    for (const [key, inner] of Object.entries(value)) {
      const isConstructor = key === 'constructor' && isObject(inner) && Object.hasOwn(inner, 'prototype');
      if (key === '__proto__' || isConstructor) return errors.bodyForbiddenKey({ key });
      if (typeof inner === 'object' && inner !== null) open.push([inner, depth + 1]);
    }
  }
  return undefined;
}
