import { StorageUnavailable } from '../ports/index.js';
import { type ApiError, type FieldError, isApiError } from './api-error.js';
import { errors } from './constructors.js';

/** An error as it goes on the wire: `{message[, errors]}` (spec 7). The code stays inside. */
export interface ErrorResult {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: { readonly message: string; readonly errors?: readonly FieldError[] };
}

/**
 * Turns what an operation returned or threw into a result. What is no error of the API is a bug or a broken database: it is
 * answered with a plain 500 or 503 that shows nothing of the inside, and given to `report`.
 */
export function errorResult(error: unknown, report: (error: unknown) => void): ErrorResult {
  const { data, message, output, isServer } = toApiError(error);
  if (isServer) callReport(error, report);
  return {
    status: output.statusCode,
    headers: Object.fromEntries(Object.entries(output.headers).map(([name, value]) => [name, String(value)])),
    payload: { message, ...(data.errors ? { errors: data.errors } : {}) },
  };
}

function toApiError(error: unknown): ApiError {
  if (isApiError(error)) return error;
  if (error instanceof StorageUnavailable)
    return errors.storageUnavailable({ seconds: Math.ceil(error.retryAfter / 1_000) });
  return errors.internal();
}

/** A reporter of the embedder that throws must not keep the client from its response. */
function callReport(error: unknown, report: (error: unknown) => void): void {
  try {
    report(error);
  } catch {
    // There is nobody left to tell.
  }
}
