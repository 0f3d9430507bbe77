import { seededIds } from '../../../adapters/fake/seeded-ids.js';
import { stillClock } from '../../../adapters/fake/still-clock.js';
import { type KnexOptions, knexStorage } from '../../../adapters/knex/index.js';
import { type Api, type ApiOptions, createApi, type Fixture, Refusal } from '../../../core/index.js';
import { inProcess } from '../in-process.js';
import type { WireAnswer } from '../wire.js';

/** What may be asked of an Api in another process, as plain data. */
export type Question =
  | { readonly ask: 'open'; readonly database: KnexOptions; readonly seed: number; readonly cache: ApiOptions['cache'] }
  | { readonly ask: 'load'; readonly fixture: Fixture }
  | {
      readonly ask: 'send';
      readonly method: string;
      readonly target: string;
      readonly token: string;
      readonly body?: object;
    }
  | { readonly ask: 'host'; readonly room: 'jobs' | 'agents'; readonly call: string; readonly input: object }
  | { readonly ask: 'advance'; readonly milliseconds: number }
  | { readonly ask: 'close' };

/** One of several Apis on one database: in this process or in another one. */
// biome-ignore lint/suspicious/noExplicitAny: what comes back depends on what was asked
export type Side = (question: Question) => Promise<any>;

/** An Api in this process. Its time stands still until it is told to go on; what the host is refused is answered as null. */
export function ownSide(): Side {
  let api: Api | undefined;
  let clock = stillClock();
  return async (question) => {
    switch (question.ask) {
      case 'open':
        clock = stillClock();
        api = createApi({
          storage: knexStorage(question.database),
          clock,
          ids: seededIds(question.seed),
          cache: question.cache ?? {},
        });
        return api.prepare();
      case 'load':
        return api?.host.load(question.fixture);
      case 'send':
        return api && send(api, question);
      case 'host':
        return api && hosted(api, question);
      case 'advance':
        return clock.advance(question.milliseconds);
      case 'close':
        return api?.close();
    }
  };
}

function send(api: Api, question: Question & { ask: 'send' }): Promise<WireAnswer> {
  const { method, target, token, body } = question;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-request-id': 'same' };
  return inProcess(api).send({ method, target, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
}

async function hosted(api: Api, { room, call, input }: Question & { ask: 'host' }): Promise<unknown> {
  const commands = api.host[room] as unknown as Readonly<Record<string, (input: object) => Promise<unknown>>>;
  try {
    return await commands[call]?.(input);
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}
