import type { FieldError } from '../../core/index.js';

/** A request that was refused, for whatever reason the API has. */
export interface ErrorResult {
  readonly ok: false;
  readonly status: number;
  /** Why, in the API's words. */
  readonly message: string;
  /** What is wrong with which field, where the API tells that apart. */
  readonly errors?: readonly FieldError[];
}

/** What became of a request. */
export type ApiResult<T> = { readonly ok: true; readonly status: number; readonly value: T } | ErrorResult;

/** A refusal where there is nobody to give a value to: in the middle of a list that is walked through. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly result: ErrorResult;

  constructor(result: ErrorResult) {
    super(`${result.status}: ${result.message}`);
    this.result = result;
  }
}

/** Reads an answer off its status and text. Throws where something other than the API has answered with success. */
export function parseResult(status: number, text: string): ApiResult<unknown> {
  const body = text === '' ? undefined : parseJson(text);
  if (status >= 200 && status < 300) {
    if (body === notJson) throw new Error(`The answer with status ${status} is not JSON`);
    return { ok: true, status, value: body };
  }
  const { message = `Status ${status}`, errors } = (isObject(body) ? body : {}) as Partial<ErrorResult>;
  return { ok: false, status, message, ...(errors === undefined ? {} : { errors }) };
}

const notJson = Symbol('not JSON');
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return notJson;
  }
}
