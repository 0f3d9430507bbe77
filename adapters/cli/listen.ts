import type { HttpApi } from '../../core/index.js';
import type { ServeOptions, ServerHandle } from '../node/index.js';
import { Complaint } from './complaint.js';

export const transports = ['node', 'koa', 'fetch'] as const;
export type Transport = (typeof transports)[number];

type Serve = (api: HttpApi, options: ServeOptions) => Promise<ServerHandle>;

/** What serves through each transport; only the one that is chosen is loaded. */
const servers: Readonly<Record<Transport, () => Promise<Serve>>> = {
  node: async () => (await import('../node/index.js')).serve,
  koa: async () => (await import('../koa/serve.js')).serveKoa,
  fetch: async () => (await import('../fetch/serve.js')).serveFetch,
};

export interface Listening {
  readonly transport: Transport;
  readonly host: string;
  readonly port: number;
}

/** Takes the address; that it cannot be had is a complaint. */
export async function listen(api: HttpApi, { transport, host, port }: Listening): Promise<ServerHandle> {
  const serve = await servers[transport]();
  try {
    return await serve(api, { host, port, onError: (error) => console.error(error) });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_MODULE_NOT_FOUND')
      throw new Complaint(`--transport ${transport} needs a package that is not installed: ${message}`);
    if (code === 'EADDRINUSE') throw new Complaint(`Port ${port} on ${host} is in use already; choose one with --port`);
    if (code !== undefined) throw new Complaint(`Cannot listen on ${host}, port ${port}: ${reasons[code] ?? message}`);
    throw error;
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'access is denied',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'there is no such host',
};
