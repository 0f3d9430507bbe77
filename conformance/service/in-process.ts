import type { Api } from '../../core/index.js';
import type { Wire } from './wire.js';

/** A wire that calls the Api directly, without a transport. */
export const inProcess = (api: Pick<Api, 'handle'>): Wire => ({
  async send({ method, target, headers = {}, body }) {
    const bytes = typeof body === 'string' ? Buffer.from(body) : (body ?? new Uint8Array(0));
    const response = await api.handle({
      method,
      target,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      remoteAddress: '127.0.0.1',
      body: { read: async (limit) => (bytes.length > limit ? 'too_large' : bytes) },
    });
    return {
      status: response.status,
      headers: Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), value])),
      text: Buffer.concat(response.body).toString(),
    };
  },
  close: async () => {},
});
