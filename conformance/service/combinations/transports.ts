import { serveFetch } from '../../../adapters/fetch/serve.js';
import { serveKoa } from '../../../adapters/koa/serve.js';
import { serve } from '../../../adapters/node/index.js';
import type { HttpApi } from '../../../core/ports/index.js';
import { type ListeningServer, overSockets } from '../../transport/index.js';
import { serviceCapabilities } from '../index.js';
import type { ServiceHarness } from '../service.js';
import { wireOverTransport } from '../through-transport.js';

/** How requests reach an Api. */
export interface ServiceTransport {
  readonly name: string;
  /** What it can carry: a case that needs more is skipped. */
  readonly capabilities: readonly string[];
  /** Why it cannot carry the rest. */
  readonly reason?: string;
  readonly wire?: NonNullable<ServiceHarness['wire']>;
}

type Serve = (api: HttpApi, options: { readonly host: string; readonly port: number }) => Promise<ListeningServer>;

const wireOverServer = (start: Serve) =>
  wireOverTransport(overSockets((api) => start(api, { host: '127.0.0.1', port: 0 })));

export const serviceTransports: readonly ServiceTransport[] = [
  { name: 'in process', capabilities: serviceCapabilities },
  { name: 'node:http', capabilities: serviceCapabilities, wire: wireOverServer(serve) },
  { name: 'Koa', capabilities: serviceCapabilities, wire: wireOverServer(serveKoa) },
  {
    name: 'fetch',
    capabilities: ['provisioning'],
    reason: 'a Request of the Fetch standard has neither targets that a URL parser would rewrite nor the method TRACE',
    wire: wireOverServer(serveFetch),
  },
];
