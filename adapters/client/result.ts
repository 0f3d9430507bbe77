import type { FieldError } from '../../core/index.js';

/** An error response of the API. */
export interface ErrorResult {
  readonly ok: false;
  readonly status: number;
  /** The API's error message. */
  readonly message: string;
  /** The errors by field, if the API names fields. */
  readonly errors?: readonly FieldError[];
}

/** The result of a request: a value, or an error response. */
export type ApiResult<T> = { readonly ok: true; readonly status: number; readonly value: T } | ErrorResult;

/** An error response as an exception, for iteration over a list, where there is no return value. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly result: ErrorResult;

  constructor(result: ErrorResult) {
    super(`${result.status}: ${result.message}`);
    this.result = result;
  }
}

/** Turns status and text of a response into a result. Throws for a success response that is not JSON, so not from the API. */
export function parseResult(status: number, text: string): ApiResult<unknown> {
  const body = text === '' ? undefined : parseJson(text);
  if (status >= 200 && status < 300) {
    if (body === notJson) throw new Error(`The response with status ${status} is not JSON`);
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
