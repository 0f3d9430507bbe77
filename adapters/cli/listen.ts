import type { HttpApi } from '../../core/index.js';
import type { ServeOptions, ServerHandle } from '../node/index.js';
import { UsageError } from './usage-error.js';

export const transportNames = ['node', 'koa', 'fetch'] as const;
export type TransportName = (typeof transportNames)[number];

type Serve = (api: HttpApi, options: ServeOptions) => Promise<ServerHandle>;

/** The `serve` function of each transport. Only the chosen one is loaded. */
const serveLoaders: Readonly<Record<TransportName, () => Promise<Serve>>> = {
  node: async () => (await import('../node/index.js')).serve,
  koa: async () => (await import('../koa/serve.js')).serveKoa,
  fetch: async () => (await import('../fetch/serve.js')).serveFetch,
};

export interface ListenTarget {
  readonly transport: TransportName;
  readonly host: string;
  readonly port: number;
}

/** Listens on the address. Throws `UsageError` if that is not possible. */
export async function listen(api: HttpApi, { transport, host, port }: ListenTarget): Promise<ServerHandle> {
  const serve = await serveLoaders[transport]();
  try {
    return await serve(api, { host, port, onError: (error) => console.error(error) });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_MODULE_NOT_FOUND')
      throw new UsageError(`--transport ${transport} needs a package that is not installed: ${message}`);
    if (code === 'EADDRINUSE')
      throw new UsageError(`Port ${port} on ${host} is already in use; choose another with --port`);
    if (code !== undefined)
      throw new UsageError(`Cannot listen on ${host}, port ${port}: ${errorMessages[code] ?? message}`);
    throw error;
  }
}

const errorMessages: Readonly<Record<string, string>> = {
  EACCES: 'access is denied',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'the host does not exist',
};
