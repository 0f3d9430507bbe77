import type { HttpApi } from '../../core/index.js';
import {
  anyFunction,
  type ChecksOf,
  checkOptions,
  httpUrl,
  objectWith,
  required,
  text,
} from '../../core/options-check.js';
import { type Page, parseLinkHeader, queryStringOf } from './page.js';
import { type Arguments, fillPath, formatQuery } from './request-target.js';
import type { Client } from './resources.js';
import { ApiError, type ApiResult, parseResult } from './result.js';
import { routes } from './routes.js';
import { type Fetch, fetchSender, inProcessSender, type RawResponse, type Sender } from './senders.js';
import type { CallOptions } from './types.js';

/** Options of `createClient`: the address of the API, or the API itself, and the access token. */
export type ClientOptions = HttpClientOptions | InProcessClientOptions;

interface TokenOption {
  /** Sent as a bearer token. Leave it out for operations that need none. */
  readonly token?: string | undefined;
}

/** Options of a client that sends its requests over HTTP. */
export interface HttpClientOptions extends TokenOption {
  /** The address of the API, such as `https://ci.example.com/api`, below which its paths are. */
  readonly url: string;
  /** Default: the global `fetch`. */
  readonly fetch?: Fetch | undefined;
}

/** Options of a client for an API in the same process. It is called directly; no request goes over the network. */
export interface InProcessClientOptions extends TokenOption {
  readonly api: HttpApi;
}

export const httpOptionChecks: ChecksOf<HttpClientOptions> = {
  url: required(httpUrl),
  token: text,
  fetch: anyFunction,
};

export const inProcessOptionChecks: ChecksOf<InProcessClientOptions> = {
  api: required(objectWith('an API', 'handle')),
  token: text,
};

/** Checks the options of the variant that was chosen. */
function checkClientOptions(options: ClientOptions): void {
  const isInProcess = typeof options === 'object' && options !== null && 'api' in options;
  checkOptions('createClient', options, isInProcess ? inProcessOptionChecks : httpOptionChecks);
}

/**
 * Creates a client with a method for every operation. An error response of the API is a value (`ok: false`), so that the compiler
 * reminds callers of it.
 *
 * @throws `TypeError`: an option is unknown, missing or wrong; the message names it.
 * @example
 * const client = createClient({ url: 'https://ci.example.com', token });
 * const created = await client.builds.create({ organization, pipeline, body: { commit: 'HEAD', branch: 'main' } });
 */
export function createClient(options: ClientOptions): Client {
  checkClientOptions(options);
  const sender: Sender =
    'api' in options
      ? inProcessSender(options.api)
      : fetchSender(options.url, options.fetch ?? ((url, init) => fetch(url, init)));
  const send = (method: string, target: string, body: unknown, { signal }: CallOptions): Promise<RawResponse> =>
    sender({ method, target, headers: headersFor(options.token, body), body: serializeBody(body), signal });
  const client: Record<string, Record<string, unknown>> = {};
  for (const [id, [method, path, form]] of Object.entries(routes)) {
    const [resource = '', name = ''] = id.split('.');
    client[resource] ??= {};
    client[resource][name] = form === 'list' ? listMethod(path, send) : singleMethod(method, path, send);
  }
  return client as unknown as Client;
}

type Send = (method: string, target: string, body: unknown, options: CallOptions) => Promise<RawResponse>;

const serializeBody = (body: unknown): string | undefined => (body === undefined ? undefined : JSON.stringify(body));

function headersFor(token: string | undefined, body: unknown): Record<string, string> {
  return {
    Accept: 'application/json',
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
}

const singleMethod =
  (method: string, path: string, send: Send) =>
  async (args: Arguments = {}, options: CallOptions = {}): Promise<ApiResult<unknown>> => {
    const target = fillPath(path, args) + formatQuery(args.query);
    const { status, text } = await send(method, target, args.body, options);
    return parseResult(status, text);
  };

function listMethod(path: string, send: Send) {
  const page = async (target: string, options: CallOptions): Promise<ApiResult<Page<unknown>>> => {
    const { status, text, link } = await send('GET', target, undefined, options);
    const result = parseResult(status, text);
    return result.ok
      ? { ...result, value: { items: result.value as unknown[], links: parseLinkHeader(link) } }
      : result;
  };

  async function* all(args: Arguments = {}, options: CallOptions = {}): AsyncGenerator<unknown, void, undefined> {
    const filledPath = fillPath(path, args);
    for (let query: string | undefined = formatQuery(args.query); query !== undefined; ) {
      const result: ApiResult<Page<unknown>> = await page(filledPath + query, options);
      if (!result.ok) throw new ApiError(result);
      yield* result.value.items;
      const { next } = result.value.links;
      query = next === undefined ? undefined : queryStringOf(next);
    }
  }

  const first = async (args: Arguments = {}, options: CallOptions = {}) =>
    page(fillPath(path, args) + formatQuery(args.query), options);
  return Object.assign(first, { all });
}
