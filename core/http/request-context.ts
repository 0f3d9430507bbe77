import type { OperationContext } from '../commands/command.js';
import { isApiError } from '../errors/index.js';
import type { ListOperation, ReadOperation, RequestContext } from '../operations/contract/operation.js';
import type { ApiRequest, Authorizer, Caller, Right, Storage } from '../ports/index.js';
import { readParameters } from './parameters.js';
import { parseQueryString } from './query-string.js';

/** A request that has been matched to an operation and authenticated. Nothing else of it has been looked at. */
export interface AuthenticatedRequest {
  readonly request: ApiRequest;
  readonly caller: Caller;
  /** Path parameters by name, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The path as it was sent. */
  readonly path: string;
  /** The query as it was sent, without `?`. */
  readonly query: string;
}

/** What the request handlers need. */
export interface HandlerOptions {
  readonly storage: Storage;
  readonly authorizer: Authorizer;
  readonly context: OperationContext;
}

/** Whether the client has closed its connection. Transports create the signal on first use, so call this only before costly work. */
export const isAborted = ({ signal }: ApiRequest): boolean => signal?.aborted === true;

/** The context that an operation runs in, once path and query are read. */
export function contextFor(
  { caller, request }: AuthenticatedRequest,
  records: unknown,
  query: unknown,
  { authorizer, context: operationContext }: HandlerOptions,
): RequestContext<never, never> {
  // Properties are copied one by one: spreading takes a tenth of the time of a small response.
  const { reader, links, renderCache, rules, next, now } = operationContext;
  const context: RequestContext = {
    reader,
    links,
    renderCache,
    rules,
    next,
    now,
    caller,
    records,
    query,
    input: undefined,
    may: (right: Right) => authorizer.isAllowed(caller, right),
    isAborted: () => isAborted(request),
  };
  return context as RequestContext<never, never>;
}

/** The values of the declared query parameters, with the pairs that they were read from. */
export function readQuery({ query: parameters = {} }: Pick<ListOperation | ReadOperation, 'query'>, text: string) {
  const pairs = parseQueryString(text);
  if (isApiError(pairs)) return pairs;
  const values = readParameters(parameters, pairs);
  return isApiError(values) ? values : { pairs, values };
}
