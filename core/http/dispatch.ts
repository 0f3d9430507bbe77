import { type ApiError, errorResult, errors, isApiError } from '../errors/index.js';
import type { CommandOperation, ListOperation, Operation, ReadOperation } from '../operations/contract/operation.js';
import type { ApiRequest, ApiResponse, Authenticator, Pages } from '../ports/index.js';
import { type CommandHandlerOptions, handleCommand } from './command-handler.js';
import { handleList } from './list-handler.js';
import { parseQueryString } from './query-string.js';
import { handleRead } from './read-handler.js';
import { type Result, toResponse } from './result.js';
import { type Match, type Router, router, splitTarget } from './router.js';
import { staticPage } from './static-pages.js';

export interface DispatchOptions extends CommandHandlerOptions {
  readonly authenticator: Authenticator;
  /** Called with every error that becomes a 500 or 503 response. */
  readonly report: (error: unknown) => void;
  /** Static pages, served at paths without an operation. */
  readonly pages?: Pages | undefined;
}

export interface Dispatch {
  /** Whether the path belongs to the API, for any method. */
  matches(method: string, target: string): boolean;
  handle(request: ApiRequest): Promise<ApiResponse>;
}

/** A day: the time for which browsers may cache a preflight response. */
const preflightAge = 86_400;

/** Derives the API from its operations: a function from request to response, which never throws or rejects. */
export function makeDispatch(operations: readonly Operation[], options: DispatchOptions): Dispatch {
  const routes: Router<Operation> = router(
    operations.map((operation) => ({
      methods: [operation.method, ...(operation.alsoMethods ?? [])],
      paths: [operation.path, ...(operation.alsoPaths ?? [])],
      target: operation,
    })),
  );

  async function respond(request: ApiRequest): Promise<Result | ApiError> {
    const { path, query } = splitTarget(request.target);
    const match = routes.match(request.method, path);
    if (isApiError(match)) {
      const found = await staticPage(options.pages, request.method, path, match);
      return isApiError(found) && request.method === 'OPTIONS' ? preflight(found) : found;
    }
    if (match.route.form === 'public') {
      const pairs = parseQueryString(query);
      return isApiError(pairs) ? pairs : { status: 200, payload: await match.route.run(options.context) };
    }
    return respondToCaller(match as Match<CallerOperation>, request, path, query, options);
  }

  return {
    matches(_method, target) {
      const { path } = splitTarget(target);
      return routes.allowed(path).length > 0 || options.pages?.matches(path) === true;
    },
    async handle(request) {
      try {
        const result = await respond(request);
        return toResponse(isApiError(result) ? errorResult(result, options.report) : result, request, options.ids);
      } catch (error) {
        return toResponse(errorResult(error, options.report), request, options.ids);
      }
    },
  };
}

type CallerOperation = ListOperation | ReadOperation | CommandOperation;

/** The order of checks is the one of decisions 1: token, scope, organization, right, record, query and body, state. */
async function respondToCaller(
  { route: operation, params }: Match<CallerOperation>,
  request: ApiRequest,
  path: string,
  query: string,
  options: DispatchOptions,
): Promise<Result | ApiError> {
  const caller = await options.authenticator.authenticate(request);
  if (caller === undefined) return errors.unauthenticated();
  if (operation.scope !== null && !caller.token.scopes.includes(operation.scope))
    return errors.missingScope({ scope: operation.scope });
  const authenticated = { request, caller, params, path, query };
  switch (operation.form) {
    case 'list':
      return handleList(operation, authenticated, options);
    case 'read':
      return handleRead(operation, authenticated, options);
    case 'command':
      return handleCommand(operation, authenticated, options);
  }
}

/** No operation has the method OPTIONS, so the router answers it with 405 and `Allow`. A preflight response is made from that. */
function preflight(error: ApiError): Result | ApiError {
  if (!isApiError(error, 'request.method_not_allowed')) return error;
  const Allow = String(error.output.headers.Allow);
  return {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': Allow,
      'Access-Control-Allow-Headers': 'Authorization, Content-Type, X-Request-Id',
      'Access-Control-Max-Age': String(preflightAge),
      Allow,
    },
  };
}
