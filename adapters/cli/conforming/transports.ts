import type { TransportClaim, TransportHarness } from '../../../conformance/transport/index.js';
import { Complaint } from '../complaint.js';
import { namesModule } from './loaded.js';
import type { Suite } from './suite.js';

/** A transport as it serves: over sockets, with nothing in front of it. */
export interface TransportSubject {
  readonly harness: TransportHarness;
  readonly claims: readonly TransportClaim[];
  /** What of HTTP a whole service behind it can be asked. */
  readonly serviceClaims: readonly string[];
}

const common: readonly TransportClaim[] = ['sockets', 'malformed-escapes', 'alone'];
/** Those that see the request as it came; a Request of the Fetch standard has neither odd targets nor the method TRACE. */
const exact = {
  claims: [...common, 'raw-targets', 'header-case'],
  serviceClaims: ['raw-targets', 'any-method'],
} as const satisfies Omit<TransportSubject, 'harness'>;

type Make = (suite: Suite) => Promise<TransportSubject>;

/** Our own transports. */
const transports: Readonly<Record<'node' | 'koa' | 'fetch', Make>> = {
  async node({ overSockets }) {
    const { serve } = await import('../../node/index.js');
    return { harness: overSockets((api, { prefix }) => serve(api, { prefix })), ...exact };
  },
  async koa({ overSockets }) {
    const { serveKoa } = await import('../../koa/index.js');
    return { harness: overSockets((api, { prefix }) => serveKoa(api, { prefix })), ...exact };
  },
  async fetch({ overSockets }) {
    const { serveFetch } = await import('../../fetch/serve.js');
    const harness = overSockets((api, { prefix }) => serveFetch(api, { prefix }));
    return { harness, claims: common, serviceClaims: [] };
  },
};

export const transportNames = `${Object.keys(transports).join(', ')} or a path to a module such as ./my-transport.js`;

/** Refuses what `--transport` cannot mean. */
export function checkTransport(text: string): void {
  if (Object.hasOwn(transports, text) || namesModule(text)) return;
  throw new Complaint(`--transport must be ${transportNames}, not ${JSON.stringify(text)}`);
}

/** Reads `--transport`. */
export async function transportSubject(text: string, suite: Suite): Promise<TransportSubject> {
  checkTransport(text);
  if (Object.hasOwn(transports, text)) return transports[text as keyof typeof transports](suite);
  const { transportOfModule } = await import('./transport-module.js');
  return transportOfModule(text, suite);
}
