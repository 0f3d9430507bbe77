import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RunningPeer } from '../peer.js';
import { handleRequest } from './handle-request.js';
import type { NewBuild, Service } from './service.js';

/** A small node:http server in front of a service: no framework, one pattern for all routes. */
export async function startPlainHttp(service: Service): Promise<RunningPeer> {
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request;
    const input = method === 'POST' ? await readBody(request) : undefined;
    const pending = handleRequest(service, method, url, request.headers.authorization, input);
    const { status, text, link } = await pending.catch((error: unknown) => {
      console.error(error);
      return { status: 500, text: '{"message":"Broken"}', link: undefined };
    });
    const body = Buffer.from(text);
    response.writeHead(status, {
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'Link',
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': body.length,
      ...(link === undefined ? {} : { Link: link }),
    });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await service.close();
    },
  };
}

async function readBody(request: IncomingMessage): Promise<NewBuild> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}
