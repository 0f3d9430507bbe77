import type { Api, ApiOptions } from '../../../core/index.js';
import type { Case } from '../../case.js';
import { inProcess } from '../in-process.js';
import type { ServiceHarness } from '../service.js';
import type { Wire, WireRequest } from '../wire.js';
import { createMutex, serializedApi } from './mutex.js';

/** A request of a case, and all that came back. */
export interface Exchange {
  readonly asked: Uint8Array;
  readonly answered: Uint8Array;
}

/** What a case said and heard, in the order in which it asked. */
export interface Recording {
  readonly exchanges: readonly Exchange[];
  /** What it threw, if it failed. */
  readonly failure?: string;
}

/** A way to make the Api, with a name by which reports call it. */
export interface ApiVariant {
  readonly name: string;
  readonly create: (options: ApiOptions) => Api;
}

/**
 * Runs a case in process and keeps every request with the bytes of its answer. With `oneByOne`, requests that the case sends
 * at once are answered one after the other: which of them comes first would else depend on how long a look-up takes, and
 * with it every id that is given afterwards.
 */
export async function recordCase(
  { run }: Case<ServiceHarness>,
  harness: Omit<ServiceHarness, 'wire' | 'apiFactory'>,
  { create }: ApiVariant,
  sequentially: boolean,
): Promise<Recording> {
  const exchanges: { asked: Uint8Array; answered: Uint8Array }[] = [];
  const { inTurn, end } = createMutex();
  try {
    await run({
      ...harness,
      apiFactory: (options) => (sequentially ? serializedApi(create(options), inTurn) : create(options)),
      wire: async (made) => recordingWire(made, exchanges),
    });
    return { exchanges };
  } catch (error) {
    return { exchanges, failure: String(error) };
  } finally {
    end();
  }
}

const recordingWire = (api: Api, exchanges: { asked: Uint8Array; answered: Uint8Array }[]): Wire => ({
  async send(request) {
    const exchange = { asked: requestBytes(request), answered: new Uint8Array(0) };
    exchanges.push(exchange);
    return inProcess({
      async handle(asked) {
        const answer = await api.handle(asked);
        exchange.answered = Buffer.concat([formatHead(`${answer.status}`, answer.headers), ...answer.body]);
        return answer;
      },
    }).send(request);
  },
  close: async () => {},
});

const requestBytes = ({ method, target, headers = {}, body = '' }: WireRequest): Uint8Array =>
  Buffer.concat([formatHead(`${method} ${target}`, headers), Buffer.from(body as string)]);

/** The first line and the headers in their order, closed by an empty line. */
const formatHead = (first: string, headers: Readonly<Record<string, string>>): Uint8Array =>
  Buffer.from([first, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), '', ''].join('\n'));
