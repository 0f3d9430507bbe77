import type { HttpApi } from '../../core/index.js';
import { type Page, parseLinkHeader, queryStringOf } from './page.js';
import { type Arguments, fillPath, formatQuery } from './request-target.js';
import { ApiError, type ApiResult, parseResult } from './result.js';
import { routes } from './routes.js';
import { type Fetch, fetchSender, inProcessSender, type RawResponse, type Sender } from './senders.js';
import type { CallOptions, Client } from './types.js';

/** Where the API is, and who asks. */
export type ClientOptions = {
  /** Sent as a bearer token; absent for what needs none. */
  readonly token?: string | undefined;
} & (
  | {
      /** Where the API is reached, such as `https://ci.example.com/api`: its paths are below it. */
      readonly url: string;
      /** Default: the global one. */
      readonly fetch?: Fetch | undefined;
    }
  | {
      /** An API in this process: no request leaves it. */
      readonly api: HttpApi;
    }
);

/**
 * A client with a method for every operation. Refusals are values, so that nobody overlooks them; a call rejects if there is
 * no answer (no network, aborted) or if it was not the API that answered. Throws `TypeError` for parameters of the path
 * that are missing.
 *
 *     const client = createClient({ url: 'https://ci.example.com', token });
 *     const made = await client.builds.create({ organization, pipeline, body: { commit: 'HEAD', branch: 'main' } });
 *     for await (const build of client.builds.listByPipeline.all({ organization, pipeline })) …
 */
export function createClient(options: ClientOptions): Client {
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
