import { beside } from './beside.js';
import { readBody } from './contract/body.js';
import type {
  Call,
  CommandOperation,
  ListOperation,
  Operation,
  Reader,
  ReadOperation,
  Rendered,
} from './contract/operation.js';
import { countUpTo, linkHeader, offsetOf, readPage } from './contract/pagination.js';
import { readParameters } from './contract/parameters.js';
import { parseQueryString, type QueryPair } from './contract/query-string.js';
import { invalid, invalidFields, missingScope, notFound, Refusal, unauthenticated } from './contract/refusal.js';
import { type Located, type Resolution, resolvePath, resolveToStamp } from './contract/resolvers.js';
import { type Match, type Router, router, splitTarget } from './contract/router.js';
import { open, type Schema } from './contract/schema.js';
import { humanize, validate } from './contract/validation.js';
import { errorReply } from './errors.js';
import { execute, type Shell } from './execute.js';
import type { ApiRequest, ApiResponse, Auth, Caller, Ids, Pages, Right } from './ports/index.js';

export interface DispatchOptions extends Shell {
  readonly auth: Auth;
  readonly ids: Ids;
  /** Largest request body in bytes (decisions 1). */
  readonly bodyLimit: number;
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

/** What an answer consists of, before it is dressed as a response. */
interface Answer {
  readonly status: number;
  /** To be sent as JSON. */
  readonly payload?: unknown;
  /** To be sent as it is, in place of a payload. */
  readonly body?: Uint8Array;
  /** JSON that is rendered already, in chunks. */
  readonly rendered?: readonly Uint8Array[];
  readonly headers?: Readonly<Record<string, string>>;
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
    return answerCaller(match as Match<CallerOperation>, request, path, query, options);
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
): Promise<Answer | Refusal> {
  const caller = await authenticate(request, options.auth);
  if (caller === undefined) return unauthenticated();
  if (operation.scope !== null && !caller.token.scopes.includes(operation.scope)) return missingScope(operation.scope);
  const may = (right: Right) => options.auth.may(caller, right);
  const right = operation.form === 'command' ? operation.right : undefined;
  const locate = (reader: Reader) =>
    resolvePath(params, caller, reader, async (organization) =>
      right === undefined ? true : may({ to: right, organization }),
    );
  const shown =
    operation.form === 'read' && operation.show ? await resolveToStamp(params, caller, options.storage) : undefined;
  if (shown instanceof Refusal) return shown;
  const at = shown?.at ?? (await locate(options.storage));
  if (at instanceof Refusal) return at;
  const pairs = parseQueryString(query);
  if (pairs instanceof Refusal) return pairs;
  const values = readParameters(operation.query ?? {}, pairs);
  if (values instanceof Refusal) return values;
  const call = { ...options.surroundings, caller, at, query: values, input: undefined, may } as Call<never, never>;
  if (operation.form === 'list') return answerList(operation, call, path, pairs);
  if (operation.form === 'read') {
    return shown ? answerShown(operation, shown, call) : answered(200, await operation.run?.(call));
  }
  return answerCommand(operation, call, request, at, locate, options);
}

const answered = (status: number, payload: unknown): Answer | Refusal =>
  payload instanceof Refusal ? payload : { status, payload };

async function authenticate(request: ApiRequest, auth: Auth): Promise<Caller | undefined> {
  const bearer = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
  return bearer === undefined ? undefined : auth.identify(bearer, request);
}

async function answerList(
  operation: ListOperation,
  call: Call<never, never>,
  path: string,
  pairs: readonly QueryPair[],
): Promise<Answer | Refusal> {
  const page = readPage(pairs);
  if (page instanceof Refusal) return page;
  const args = await operation.where(call);
  if (args instanceof Refusal) return args;
  const whole = operation.unpaged && !pairs.some(({ name }) => name === 'page' || name === 'per_page');
  const window = whole ? { offset: 0, limit: countUpTo } : { offset: offsetOf(page), limit: page.size, countUpTo };
  const found = await call.reader.find(operation.source, args, window);
  const link = linkHeader(page, found, call.links.api(path), pairs);
  const headers: Answer['headers'] = link === undefined ? {} : { Link: link };
  if (operation.show) {
    return { status: 200, rendered: asList(await operation.show(found.stamps, call)), headers };
  }
  const ids = found.stamps.map((stamp) => stamp.id);
  const rows = ids.length > 0 ? await call.reader.load(operation.source, ids) : [];
  const byId = new Map(rows.map((row) => [row.id, row]));
  const ordered = ids.flatMap((id) => byId.get(id) ?? []);
  return { status: 200, payload: await operation.present?.(ordered, call), headers };
}

async function answerShown(
  operation: ReadOperation,
  { stamp, what }: Located,
  call: Call<never, never>,
): Promise<Answer | Refusal> {
  const [record] = (await operation.show?.([stamp], call)) ?? [];
  return record ? { status: 200, rendered: withoutComma(record) } : notFound(what);
}

const opening = Buffer.from('[');
const closing = Buffer.from(']');

/** Rendered records as the chunks of one JSON list. */
function asList(records: readonly Rendered[]): Uint8Array[] {
  return [opening, ...withoutComma(records.flat()), closing];
}

/** The last chunk ends with the comma that follows a record, but nothing follows. */
function withoutComma(chunks: Rendered): Uint8Array[] {
  const last = chunks.at(-1);
  return last ? [...chunks.slice(0, -1), last.subarray(0, -1)] : [];
}

const noBody = open({});

async function answerCommand(
  operation: CommandOperation,
  call: Call<never, never>,
  request: ApiRequest,
  resolved: Partial<Resolution>,
  locate: (reader: Reader) => Promise<Partial<Resolution> | Refusal>,
  options: DispatchOptions,
): Promise<Answer | Refusal> {
  const body = await readBody(request, options.bodyLimit);
  if (body instanceof Refusal) return body;
  const input = await readInput(operation, body);
  if (input instanceof Refusal) return input;
  let fresh: Partial<Resolution> | undefined = resolved;
  const about = async (reader: Reader) => {
    const at = fresh ?? (await locate(reader));
    fresh = undefined;
    return at as never;
  };
  const reply = await execute(
    operation.command,
    { input: input as never, query: call.query, caller: call.caller, locate: about },
    options,
  );
  if (reply instanceof Refusal) return reply;
  return operation.present
    ? answered(operation.status, await operation.present(reply, call))
    : { status: operation.status };
}

async function readInput(operation: CommandOperation, body: Readonly<Record<string, unknown>>): Promise<unknown> {
  const schema: Schema = operation.body ?? noBody;
  const read = await validate(schema, body);
  if ('value' in read) return read.value;
  if (operation.problems === 'fields') return invalidFields(read.problems.map(({ field, code }) => ({ field, code })));
  return invalid(...read.problems.map(({ field, reason }) => `${humanize(field)} ${reason}`));
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
