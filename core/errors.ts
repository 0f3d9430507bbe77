import loadBoom from './boom.cjs';
import { StorageUnavailable } from './ports/index.js';
import { Refusal, unavailable } from './refusal.js';

/** An error as it goes on the wire: `{message[, errors]}` (spec 7). */
export interface ErrorReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: { readonly message: string; readonly errors?: readonly unknown[] };
}

/**
 * Turns whatever was refused or thrown into an answer. What is not a refusal is a bug or a broken database: it is answered
 * with a plain 500 or 503 that shows nothing of the inside, and given to `report`.
 */
export function errorReply(error: unknown, report: (error: unknown) => void): ErrorReply {
  const boom = toBoom(error);
  if (boom.output.statusCode >= 500) callReport(error, report);
  const { statusCode, headers } = boom.output;
  return {
    status: statusCode,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    payload: { message: boom.message, ...(boom.data?.errors ? { errors: boom.data.errors } : {}) },
  };
}

/** The host's own reporter must not keep the client from its answer. */
function callReport(error: unknown, report: (error: unknown) => void): void {
  try {
    report(error);
  } catch {
    // There is nobody left to tell.
  }
}

type ErrorBoom = import('@hapi/boom').Boom<{ readonly errors?: readonly unknown[] } | null>;

function toBoom(error: unknown): ErrorBoom {
  const refusal = error instanceof StorageUnavailable ? unavailable(error.retryAfter) : error;
  const { Boom } = loadBoom();
  if (!(refusal instanceof Refusal)) {
    return new Boom('Something went wrong on our side', { statusCode: 500, data: null });
  }
  const made = new Boom(refusal.message, {
    statusCode: refusal.status,
    data: refusal.errors ? { errors: refusal.errors } : null,
  });
  Object.assign(made.output.headers, refusal.headers);
  return made;
}
