import { Agent, request as ask, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// The process of a proxy. It forwards each request to the next server, over keep-alive connections.
process.on('disconnect', () => process.exit());
process.once('message', ({ urls }: { urls: readonly string[] }) => {
  const targets = urls.map((url) => new URL(url));
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  let turn = 0;
  const server = createServer((incoming, outgoing) => {
    const target = targets[turn++ % targets.length];
    const { method, url, headers } = incoming;
    const forwarded = ask(
      { agent, host: target?.hostname, port: target?.port, method, path: url, headers },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(outgoing);
      },
    );
    forwarded.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  });
});
