import type { HttpApi } from '../../core/index.js';
import { type Answer, AnswerError, readAnswer } from './answer.js';
import { type Page, queryOf, readLinks } from './page.js';
import { routes } from './routes.js';
import { type Arguments, fillPath, formatQuery } from './target.js';
import type { CallOptions, Client } from './types.js';
import { byCall, byFetch, type Fetch, type Received, type Way } from './ways.js';

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
  const way: Way =
    'api' in options ? byCall(options.api) : byFetch(options.url, options.fetch ?? ((url, init) => fetch(url, init)));
  const send = (method: string, target: string, body: unknown, { signal }: CallOptions): Promise<Received> =>
    way({ method, target, headers: headersFor(options.token, body), body: textOf(body), signal });
  const client: Record<string, Record<string, unknown>> = {};
  for (const [id, [method, path, form]] of Object.entries(routes)) {
    const [family = '', name = ''] = id.split('.');
    client[family] ??= {};
    client[family][name] = form === 'list' ? listMethod(path, send) : plainMethod(method, path, send);
  }
  return client as unknown as Client;
}

type Send = (method: string, target: string, body: unknown, options: CallOptions) => Promise<Received>;

const textOf = (body: unknown): string | undefined => (body === undefined ? undefined : JSON.stringify(body));

function headersFor(token: string | undefined, body: unknown): Record<string, string> {
  return {
    Accept: 'application/json',
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
}

const plainMethod =
  (method: string, path: string, send: Send) =>
  async (given: Arguments = {}, options: CallOptions = {}): Promise<Answer<unknown>> => {
    const target = fillPath(path, given) + formatQuery(given.query);
    const { status, text } = await send(method, target, given.body, options);
    return readAnswer(status, text);
  };

function listMethod(path: string, send: Send) {
  const page = async (target: string, options: CallOptions): Promise<Answer<Page<unknown>>> => {
    const { status, text, link } = await send('GET', target, undefined, options);
    const answer = readAnswer(status, text);
    return answer.ok ? { ...answer, value: { items: answer.value as unknown[], links: readLinks(link) } } : answer;
  };

  async function* all(given: Arguments = {}, options: CallOptions = {}): AsyncGenerator<unknown, void, undefined> {
    const address = fillPath(path, given);
    for (let query: string | undefined = formatQuery(given.query); query !== undefined; ) {
      const answer: Answer<Page<unknown>> = await page(address + query, options);
      if (!answer.ok) throw new AnswerError(answer);
      yield* answer.value.items;
      const { next } = answer.value.links;
      query = next === undefined ? undefined : queryOf(next);
    }
  }

  const first = async (given: Arguments = {}, options: CallOptions = {}) =>
    page(fillPath(path, given) + formatQuery(given.query), options);
  return Object.assign(first, { all });
}
