// biome-ignore-all lint/style/noRestrictedImports: the suite is handed its adapters, and this is the hand
import { serveFetch } from '../../../adapters/fetch/serve.js';
import { serveKoa } from '../../../adapters/koa/serve.js';
import { serve } from '../../../adapters/node/index.js';
import type { HttpApi } from '../../../core/ports/index.js';
import { type Listening, overSockets } from '../../transport/index.js';
import { serviceClaims } from '../index.js';
import type { ServiceHarness } from '../service.js';
import { throughTransport } from '../through-transport.js';

/** How requests reach an Api. */
export interface Way {
  readonly name: string;
  /** What it can carry: a case that needs more is skipped. */
  readonly claims: readonly string[];
  /** Why it cannot carry the rest. */
  readonly reason?: string;
  readonly wire?: NonNullable<ServiceHarness['wire']>;
}

type Serve = (api: HttpApi, options: { readonly host: string; readonly port: number }) => Promise<Listening>;

const throughServer = (start: Serve) =>
  throughTransport(overSockets((api) => start(api, { host: '127.0.0.1', port: 0 })));

export const ways: readonly Way[] = [
  { name: 'in process', claims: serviceClaims },
  { name: 'node:http', claims: serviceClaims, wire: throughServer(serve) },
  { name: 'Koa', claims: serviceClaims, wire: throughServer(serveKoa) },
  {
    name: 'fetch',
    claims: ['provisioning'],
    reason: 'a Request of the Fetch standard has neither targets that a URL parser would rewrite nor the method TRACE',
    wire: throughServer(serveFetch),
  },
];
