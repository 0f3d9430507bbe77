import type { Api } from '../../core/index.js';
import type { TransportHarness } from '../transport/case.js';
import type { Wire } from './wire.js';

/** Reaches an Api through a transport: what a client sends goes out as it is, and comes back as it came. */
export const wireOverTransport =
  (transport: TransportHarness) =>
  async (api: Api): Promise<Wire> => {
    const opened = await transport.open(api);
    return {
      async send({ method, target, headers = {}, body }) {
        const response = await opened.send({
          method,
          target,
          // Texts of the wire have one character a byte.
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
