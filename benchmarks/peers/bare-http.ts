import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endpoints, type Peer } from './peer.js';

/** The cost of HTTP alone: constant responses, recorded from Millrace, without authentication. */
export const bareHttp: Peer = {
  description: 'node:http, constant bytes',
  database: 'none',
  equality: 'bytes',
  endpoints,
  async start({ constants = {} }) {
    const bytes = new Map(Object.entries(constants).map(([key, text]) => [key, Buffer.from(text)]));
    const server = createServer((request, response) => {
      const body = bytes.get(responseKey(request.method ?? '', request.url ?? ''));
      request.resume();
      if (body === undefined) {
        response.writeHead(404).end();
        return;
      }
      response.writeHead(request.method === 'POST' ? 201 : 200, {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': body.length,
      });
      response.end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      close: async () => {
        server.closeAllConnections();
        server.close();
      },
    };
  },
};

/** The key of the response to a request. All requests of an endpoint get the same bytes. */
export function responseKey(method: string, target: string): string {
  if (method !== 'GET') return method;
  if (target.includes('/agents')) return 'agents';
  if (/\/builds\/\d+$/.test(target)) return 'one';
  return target;
}
