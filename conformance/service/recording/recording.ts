import type { Api, ContainerApiOptions } from '../../../core/index.js';
import type { Case } from '../../case.js';
import { inProcess } from '../in-process.js';
import type { ServiceHarness } from '../service.js';
import type { Wire, WireRequest } from '../wire.js';
import { createMutex, serializedApi } from './mutex.js';

/** A request of a case and its response. */
export interface Exchange {
  readonly request: Uint8Array;
  readonly response: Uint8Array;
}

/** The requests and responses of a case, in order. */
export interface Recording {
  readonly exchanges: readonly Exchange[];
  /** What the case threw, if it failed. */
  readonly failure?: string;
}

/** A named function that creates the Api. */
export interface ApiVariant {
  readonly name: string;
  readonly create: (options: ContainerApiOptions) => Api;
}

/**
 * Runs a case in process and records every request with the bytes of its response. With `oneByOne`, concurrent requests of the case
 * are served one after another. Otherwise their order, and with it all later ids, would depend on how long the reads take.
 */
export async function recordCase(
  { run }: Case<ServiceHarness>,
  harness: Omit<ServiceHarness, 'wire' | 'apiFactory'>,
  { create }: ApiVariant,
  sequentially: boolean,
): Promise<Recording> {
  const exchanges: { request: Uint8Array; response: Uint8Array }[] = [];
  const { inTurn, end } = createMutex();
  try {
    await run({
      ...harness,
      apiFactory: (options) => (sequentially ? serializedApi(create(options), inTurn) : create(options)),
      wire: async (api) => recordingWire(api, exchanges),
    });
    return { exchanges };
  } catch (error) {
    return { exchanges, failure: String(error) };
  } finally {
    end();
  }
}

const recordingWire = (api: Api, exchanges: { request: Uint8Array; response: Uint8Array }[]): Wire => ({
  async send(request) {
    const exchange: { request: Uint8Array; response: Uint8Array } = {
      request: requestBytes(request),
      response: new Uint8Array(0),
    };
    exchanges.push(exchange);
    return inProcess({
      async handle(apiRequest) {
        const response = await api.handle(apiRequest);
        exchange.response = Buffer.concat([formatHead(`${response.status}`, response.headers), ...response.body]);
        return response;
      },
    }).send(request);
  },
  close: async () => {},
});

const requestBytes = ({ method, target, headers = {}, body = '' }: WireRequest): Uint8Array =>
  Buffer.concat([formatHead(`${method} ${target}`, headers), Buffer.from(body as string)]);

/** The first line and the headers in order, followed by an empty line. */
const formatHead = (first: string, headers: Readonly<Record<string, string>>): Uint8Array =>
  Buffer.from([first, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), '', ''].join('\n'));
