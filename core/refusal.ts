/** One thing that is wrong with a field of a body (decisions 7). */
export interface FieldError {
  readonly field: string;
  readonly code: 'missing' | 'invalid' | 'too_long';
}

interface Details {
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A request that is answered with an error. Operations return it as a value; calls of the host get it thrown.
 * The texts of the messages are part of the API: clients depend on them.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly errors: readonly FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, details: Details = {}) {
    super(message);
    this.status = status;
    this.errors = details.errors;
    this.headers = details.headers ?? {};
  }
}

export const badRequest = (message: string) => new Refusal(400, message);

/** The same bytes for a missing, malformed, unknown, revoked or expired token, and for Basic (decisions 2). */
export const unauthenticated = () =>
  new Refusal(401, 'Authentication required. Please supply a valid API Access Token', {
    headers: { 'WWW-Authenticate': 'Bearer' },
  });

export const missingScope = (scope: string) => new Refusal(403, `Your access token doesn't have the ${scope} scope`);
export const forbidden = () => new Refusal(403, 'Forbidden');

/** `what` as in `No pipeline found` (decisions 2). */
export const notFound = (what: string) => new Refusal(404, `No ${what} found`);
export const noRoute = (method: string, path: string) => new Refusal(404, `No route matches ${method} ${path}`);
export const methodNotAllowed = (allowed: readonly string[]) =>
  new Refusal(405, 'Method not allowed', { headers: { Allow: allowed.join(', ') } });

/** The client closed its connection before the answer; nobody reads it. The status is the one of nginx's log. */
export const clientGone = () => new Refusal(499, 'The client closed the connection');

export const conflict = () =>
  new Refusal(409, 'The record is being changed by too many others at once. Please try again');
export const tooLarge = (limit: number) => new Refusal(413, `The request body is larger than ${limit} bytes`);
export const unsupported = (message: string) => new Refusal(415, message);

/** A state that does not allow it, told with the reason. */
export const unprocessable = (message: string) => new Refusal(422, message);
/** `Validation failed: Name can't be blank, Color must be a hex color code` (decisions 8). */
export const invalid = (...reasons: readonly string[]) => new Refusal(422, `Validation failed: ${reasons.join(', ')}`);
/** `{"message": "Validation Failed", "errors": [...]}` (spec 7). */
export const invalidFields = (errors: readonly FieldError[]) => new Refusal(422, 'Validation Failed', { errors });

export const unavailable = (retryAfter: number) =>
  new Refusal(503, 'The service is unavailable for the moment. Please try again', {
    headers: { 'Retry-After': String(retryAfter) },
  });
