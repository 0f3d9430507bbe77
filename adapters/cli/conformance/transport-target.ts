import type { TransportCapability } from '../../../conformance/transport/index.js';
import { UsageError } from '../usage-error.js';
import { isModulePath } from './load-module.js';
import type { ConformanceSuite } from './load-suite.js';
import type { TransportTarget } from './transport-module.js';

const commonCapabilities: readonly TransportCapability[] = ['sockets', 'malformed-escapes', 'alone'];
/** For transports that see raw requests. A fetch `Request` has neither unnormalized targets nor the method TRACE. */
const rawHttpCapabilities = {
  capabilities: [...commonCapabilities, 'raw-targets', 'header-case'],
  serviceCapabilities: ['raw-targets', 'any-method'],
} as const satisfies Omit<TransportTarget, 'harness'>;

type TargetFactory = (suite: ConformanceSuite) => Promise<TransportTarget>;

/** Our own transports. */
const targetFactories: Readonly<Record<'node' | 'koa' | 'fetch', TargetFactory>> = {
  async node({ overSockets }) {
    const { serve } = await import('../../node/index.js');
    return { harness: overSockets((api, { prefix }) => serve(api, { prefix })), ...rawHttpCapabilities };
  },
  async koa({ overSockets }) {
    const { serveKoa } = await import('../../koa/index.js');
    return { harness: overSockets((api, { prefix }) => serveKoa(api, { prefix })), ...rawHttpCapabilities };
  },
  async fetch({ overSockets }) {
    const { serveFetch } = await import('../../fetch/serve.js');
    const harness = overSockets((api, { prefix }) => serveFetch(api, { prefix }));
    return { harness, capabilities: commonCapabilities, serviceCapabilities: [] };
  },
};

export const transportHelp = `${Object.keys(targetFactories).join(', ')} or a path to a module such as ./my-transport.js`;

/** Throws `UsageError` unless `--transport` names an adapter or a module. */
export function checkTransport(text: string): void {
  if (Object.hasOwn(targetFactories, text) || isModulePath(text)) return;
  throw new UsageError(`--transport must be ${transportHelp}, not ${JSON.stringify(text)}`);
}

/** Loads the transport that `--transport` names. */
export async function createTransportTarget(text: string, suite: ConformanceSuite): Promise<TransportTarget> {
  checkTransport(text);
  if (Object.hasOwn(targetFactories, text)) return targetFactories[text as keyof typeof targetFactories](suite);
  const { loadTransportModule } = await import('./transport-module.js');
  return loadTransportModule(text, suite);
}
