import type { Answer } from './answer.js';
import { beside } from './beside.js';
import { answerCommand, type CommandOptions } from './change.js';
import type { CommandOperation, ListOperation, Operation, ReadOperation } from './contract/operation.js';
import { parseQueryString } from './contract/query-string.js';
import { missingScope, Refusal, unauthenticated } from './contract/refusal.js';
import { type Match, type Router, router, splitTarget } from './contract/router.js';
import { errorReply } from './errors.js';
import { type Lookups, Ways } from './kept/index.js';
import type { ApiRequest, ApiResponse, Auth, Caller, Ids, Pages } from './ports/index.js';
import { keyOf, type Way, wayTo } from './read.js';

export interface DispatchOptions extends CommandOptions {
  readonly storage: Lookups;
  /** Told of everything that is answered with 500 or 503. */
  readonly report: (error: unknown) => void;
  /** What people may look at where no operation is. */
  readonly pages?: Pages | undefined;
}

export interface Dispatch {
  /** Whether the path is one of the API's, whatever the method. */
  matches(method: string, target: string): boolean;
  handle(request: ApiRequest): Promise<ApiResponse>;
}

/** A day: how long browsers may keep the answer to a preflight request. */
const preflightAge = 86_400;

/** Derives the API from its operations: one function from a request to a response, that never throws and never rejects. */
export function makeDispatch(operations: readonly Operation[], options: DispatchOptions): Dispatch {
  const routes: Router<Operation> = router(
    operations.map((operation) => ({
      methods: [operation.method, ...(operation.alsoMethods ?? [])],
      paths: [operation.path, ...(operation.alsoPaths ?? [])],
      to: operation,
    })),
  );

  const ways = new Ways<Way>();

  async function answer(request: ApiRequest): Promise<Answer | Refusal> {
    const { path, query } = splitTarget(request.target);
    const match = routes.match(request.method, path);
    if (match instanceof Refusal) {
      const found = await beside(options.pages, request.method, path, match);
      return found instanceof Refusal && request.method === 'OPTIONS' ? preflight(found) : found;
    }
    if (match.to.form === 'public') {
      const pairs = parseQueryString(query);
      return pairs instanceof Refusal ? pairs : { status: 200, payload: await match.to.run(options.surroundings) };
    }
    return answerCaller(match as Match<CallerOperation>, request, path, query, options, ways);
  }

  return {
    matches(_method, target) {
      const { path } = splitTarget(target);
      return routes.allowed(path).length > 0 || options.pages?.matches(path) === true;
    },
    async handle(request) {
      const respond = (given: Answer) => dressed(given, request, options.ids);
      try {
        const made = await answer(request);
        return respond(made instanceof Refusal ? refused(made, options) : made);
      } catch (error) {
        return respond(refused(error, options));
      }
    },
  };
}

type CallerOperation = ListOperation | ReadOperation | CommandOperation;

const refused = (error: unknown, options: DispatchOptions): Answer => errorReply(error, options.report);

/** The order of checks is the one of decisions 1: token, scope, organization, right, record, query and body, state. */
async function answerCaller(
  { to: operation, params }: Match<CallerOperation>,
  request: ApiRequest,
  path: string,
  query: string,
  options: DispatchOptions,
  ways: Ways<Way>,
): Promise<Answer | Refusal> {
  const caller = await authenticate(request, options.auth);
  if (caller === undefined) return unauthenticated();
  if (operation.scope !== null && !caller.token.scopes.includes(operation.scope)) return missingScope(operation.scope);
  const asked = { params, caller, path, query };
  if (operation.form === 'command') return answerCommand(operation, asked, request, options);
  const way = operation.show
    ? await ways.to(caller, keyOf(operation, asked), (trail) =>
        wayTo(operation, asked, options.storage.trailing(trail), options),
      )
    : await wayTo(operation, asked, options.storage, options);
  return way instanceof Refusal ? way : way(asked);
}

async function authenticate(request: ApiRequest, auth: Auth): Promise<Caller | undefined> {
  const bearer = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  return bearer === undefined ? undefined : auth.identify(bearer, request);
}

/** No operation has the method OPTIONS: a path that exists refuses it with the methods it has, which is what is asked for. */
function preflight(refusal: Refusal): Answer | Refusal {
  const { Allow } = refusal.headers;
  if (Allow === undefined) return refusal;
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

/** The caller's own request id, if it is sane (decisions 12). */
function requestIdOf(request: ApiRequest, ids: Ids): string {
  const given = request.headers['x-request-id'];
  return given !== undefined && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : ids.secret(22);
}

/** Makes a response of an answer: the headers that every response has, and no body for HEAD and 204 (decisions 1). */
function dressed(answer: Answer, request: ApiRequest, ids: Ids): ApiResponse {
  const headers: Record<string, string> = {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'Link',
    'X-Request-Id': requestIdOf(request, ids),
    ...answer.headers,
  };
  if (answer.status === 204) return { status: 204, headers, body: [] };
  if (!answer.body) headers['Content-Type'] = 'application/json; charset=utf-8';
  const body = answer.rendered ?? [answer.body ?? Buffer.from(JSON.stringify(answer.payload))];
  let length = 0;
  for (const chunk of body) length += chunk.byteLength;
  headers['Content-Length'] = String(length);
  return { status: answer.status, headers, body: request.method === 'HEAD' ? [] : body };
}
