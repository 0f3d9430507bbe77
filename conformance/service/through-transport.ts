import type { Api } from '../../core/index.js';
import type { TransportHarness } from '../transport/case.js';
import type { Wire } from './wire.js';

/** A wire that sends requests through a transport, byte by byte. */
export const wireOverTransport =
  (transport: TransportHarness) =>
  async (api: Api): Promise<Wire> => {
    const opened = await transport.open(api);
    return {
      async send({ method, target, headers = {}, body }) {
        const response = await opened.send({
          method,
          target,
          // Texts on the wire have one character per byte.
          headers: Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString('latin1')]),
          ...(body === undefined ? {} : { body: Buffer.from(body as string) }),
        });
        return {
          status: response.status,
          headers: Object.fromEntries(response.headers.map(([name, value]) => [name.toLowerCase(), value])),
          text: Buffer.from(response.body).toString(),
        };
      },
      close: opened.close,
    };
  };
