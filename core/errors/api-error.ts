import type { Boom } from '@hapi/boom';
import { type ErrorCode, entriesByCode } from './catalogue/index.js';

/** One thing that is wrong with a field of a body (decisions 7). */
export interface FieldError {
  readonly field: string;
  readonly code: 'missing' | 'invalid' | 'too_long';
}

export interface ApiErrorData<Code extends ErrorCode = ErrorCode> {
  readonly code: Code;
  /** What is wrong with which field, of `validation.fields_failed`. It is part of the response. */
  readonly errors?: readonly FieldError[];
  /** What is wrong with a fixture, each with its path in the document, of `fixture.invalid`: at most the first hundred. */
  readonly problems?: readonly string[];
}

/**
 * A Boom with a stable code in its `data`; status and headers are in its `output`. Operations return it as a value, and calls
 * of the runtime throw it.
 */
export interface ApiError<Code extends ErrorCode = ErrorCode> extends Boom<ApiErrorData<Code>> {
  data: ApiErrorData<Code>;
}

/** Whether a value is an error of the API, with that code if one is given. */
export function isApiError<Code extends ErrorCode = ErrorCode>(value: unknown, code?: Code): value is ApiError<Code> {
  if (!(value instanceof Error) || !('isBoom' in value)) return false;
  const actual = (value as Partial<ApiError>).data?.code;
  return actual !== undefined && Object.hasOwn(entriesByCode, actual) && (code === undefined || code === actual);
}
