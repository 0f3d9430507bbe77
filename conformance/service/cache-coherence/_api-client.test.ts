import { manualClock } from '../../../adapters/fake/manual-clock.js';
import { seededIds } from '../../../adapters/fake/seeded-ids.js';
import { type KnexOptions, knexStorage } from '../../../adapters/knex/index.js';
import { type Api, type ApiOptions, createApi, type Fixture, isApiError } from '../../../core/index.js';
import { inProcess } from '../in-process.js';
import type { WireResponse } from '../wire.js';

/** A message to an Api, as plain data, so that the Api can be in another process. */
export type ApiMessage =
  | {
      readonly type: 'open';
      readonly database: KnexOptions;
      readonly seed: number;
      readonly cache: ApiOptions['cache'];
    }
  | { readonly type: 'load'; readonly fixture: Fixture }
  | {
      readonly type: 'send';
      readonly method: string;
      readonly target: string;
      readonly token: string;
      readonly body?: object;
    }
  | { readonly type: 'runtime'; readonly group: 'jobs' | 'agents'; readonly call: string; readonly input: object }
  | { readonly type: 'advance'; readonly milliseconds: number }
  | { readonly type: 'close' };

/** Sends messages to one of several Apis on one database, in this process or in another one. */
// biome-ignore lint/suspicious/noExplicitAny: the type of the reply depends on the message
export type ApiClient = (message: ApiMessage) => Promise<any>;

/** An Api in this process. Its clock advances only by the message `advance`. A refused runtime call returns null. */
export function localApi(): ApiClient {
  let api: Api | undefined;
  let clock = manualClock();
  return async (message) => {
    switch (message.type) {
      case 'open':
        clock = manualClock();
        api = createApi({
          storage: knexStorage(message.database),
          clock,
          ids: seededIds(message.seed),
          cache: message.cache ?? {},
        });
        return api.prepare();
      case 'load':
        return api?.load(message.fixture);
      case 'send':
        return api && send(api, message);
      case 'runtime':
        return api && callRuntime(api, message);
      case 'advance':
        return clock.advance(message.milliseconds);
      case 'close':
        return api?.close();
    }
  };
}

function send(api: Api, message: ApiMessage & { type: 'send' }): Promise<WireResponse> {
  const { method, target, token, body } = message;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-request-id': 'same' };
  return inProcess(api).send({ method, target, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
}

async function callRuntime(api: Api, { group, call, input }: ApiMessage & { type: 'runtime' }): Promise<unknown> {
  const commands = api.runtime[group] as unknown as Readonly<Record<string, (input: object) => Promise<unknown>>>;
  try {
    return await commands[call]?.(input);
  } catch (error) {
    if (isApiError(error)) return null;
    throw error;
  }
}
