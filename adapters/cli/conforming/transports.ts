import type { Level } from '../../../conformance/runner/index.js';
import type { TransportClaim } from '../../../conformance/transport/index.js';
import type { Suite } from './suite.js';

/** What each of our transports claims; over sockets, as it serves. */
const common: readonly TransportClaim[] = ['sockets', 'malformed-escapes', 'alone'];
const exact: readonly TransportClaim[] = [...common, 'raw-targets', 'header-case'];

type Make = (suite: Suite) => Promise<Level>;

/** The transports that `--transport` names. */
export const transports: Readonly<Record<'node' | 'koa' | 'fetch', Make>> = {
  async node({ overSockets, transportLevel }) {
    const { serve } = await import('../../node/index.js');
    return transportLevel(
      overSockets((api, { prefix }) => serve(api, { prefix })),
      exact,
    );
  },
  async koa({ overSockets, transportLevel }) {
    const { serveKoa } = await import('../../koa/index.js');
    return transportLevel(
      overSockets((api, { prefix }) => serveKoa(api, { prefix })),
      exact,
    );
  },
  async fetch({ overSockets, transportLevel }) {
    const { serveFetch } = await import('../../fetch/serve.js');
    return transportLevel(
      overSockets((api, { prefix }) => serveFetch(api, { prefix })),
      common,
    );
  },
};

export type TransportName = keyof typeof transports;
export const isTransport = (text: string): text is TransportName => Object.hasOwn(transports, text);
