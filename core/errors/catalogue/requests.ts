import type { ErrorEntry } from './entry.js';

/** Who may reach which operation (spec 5, decisions 1 and 2). */
export const requestErrors = {
  pathMalformed: {
    code: 'path.malformed_escape',
    status: 400,
    message: 'The path has a malformed escape',
    when: 'The path has a percent escape that is incomplete or is not UTF-8.',
    whatToDo: 'Escape the segments of the path with `encodeURIComponent`.',
  },
  routeNotFound: {
    code: 'route.not_found',
    status: 404,
    message: 'No route matches {method} {path}',
    when: 'The API has no such path.',
    whatToDo: 'Compare the path with the API reference.',
  },
  methodNotAllowed: {
    code: 'request.method_not_allowed',
    status: 405,
    message: 'Method not allowed',
    headers: { Allow: '{methods}' },
    when: 'The path exists, but does not take this method.',
    whatToDo: 'Use one of the methods of the `Allow` header.',
  },
  // The same bytes for a missing, malformed, unknown, revoked or expired token, and for Basic (decisions 2).
  unauthenticated: {
    code: 'request.unauthenticated',
    status: 401,
    message: 'Authentication required. Please supply a valid API Access Token',
    headers: { 'WWW-Authenticate': 'Bearer' },
    when: 'There is no access token, or it is malformed, unknown, revoked or expired.',
    whatToDo: 'Send a valid access token as `Authorization: Bearer <token>`.',
  },
  missingScope: {
    code: 'request.missing_scope',
    status: 403,
    message: "Your access token doesn't have the {scope} scope",
    when: 'The access token lacks the scope of the operation.',
    whatToDo: 'Use an access token that has the scope.',
  },
  forbidden: {
    code: 'request.forbidden',
    status: 403,
    message: 'Forbidden',
    when: 'The user of the access token lacks the right to do this.',
    whatToDo: 'Have an admin of the organization do it.',
  },
  requestAborted: {
    code: 'request.aborted',
    status: 499,
    message: 'The client closed the connection',
    when: 'The client left before the response. Nobody reads it; the status is the one of the nginx log.',
    whatToDo: 'Nothing.',
  },
} as const satisfies Record<string, ErrorEntry>;
