import type { OpenOptions, OpenTransport } from '../../../conformance/transport/index.js';
import type { HttpApi } from '../../../core/ports/index.js';
import { UsageError } from '../usage-error.js';
import { loadModule } from './load-module.js';
import type { ConformanceSuite } from './load-suite.js';
import type { TransportTarget } from './transport-target.js';

/** What a transport and its host may be able to do, and what HTTP may be asked through them. */
const transportCapabilities = [
  'sockets',
  'raw-targets',
  'malformed-escapes',
  'header-case',
  'body-parser',
  'own-routes',
  'alone',
] as const;
const serviceCapabilities = ['raw-targets', 'any-method'] as const;

type TransportFactory = (api: HttpApi, options: OpenOptions) => unknown;

/**
 * The transport that a module gives: its default export, or the one called `transport`, is a function that puts an API behind it;
 * `capabilities` is a list of what it can do beyond what all transports can. What is wrong with the module is a complaint; what is
 * wrong with what it makes is an error of the case that has asked for it.
 */
export async function loadTransportModule(path: string, suite: ConformanceSuite): Promise<TransportTarget> {
  const moduleExports = await loadModule(path);
  const make = moduleExports.default ?? moduleExports.transport;
  if (typeof make !== 'function') {
    throw new UsageError(
      `${path} must export a function as its default or as transport, which puts an API behind the transport`,
    );
  }
  const declared = parseCapabilities(path, moduleExports.capabilities ?? []);
  return {
    harness: {
      open: async (api, options = {}) =>
        openTransport(suite, await (make as TransportFactory)(api, options), api, options),
    },
    capabilities: transportCapabilities.filter((capability) => declared.includes(capability)),
    serviceCapabilities: serviceCapabilities.filter((capability) => declared.includes(capability)),
  };
}

function parseCapabilities(path: string, capabilities: unknown): readonly string[] {
  if (!Array.isArray(capabilities)) throw new UsageError(`${path} exports capabilities, which must be a list of texts`);
  const known: readonly unknown[] = [...transportCapabilities, ...serviceCapabilities];
  const unknownCapability = capabilities.find((capability) => !known.includes(capability));
  if (unknownCapability === undefined) return capabilities;
  throw new UsageError(
    `${path} names the capability ${JSON.stringify(unknownCapability)}; known are ${[...new Set(known)].join(', ')}`,
  );
}

/** Whatever form the module has chosen: something that listens, a handler of requests, or a way to send. */
async function openTransport(
  suite: ConformanceSuite,
  transport: unknown,
  api: HttpApi,
  options: OpenOptions,
): Promise<OpenTransport> {
  if (typeof transport === 'function') return suite.inProcessTransport(transport as (request: Request) => Response);
  const { port, send, close } = (transport ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof close === 'function') {
    if (typeof send === 'function') return transport as OpenTransport;
    if (Number.isInteger(port)) return suite.overSockets(async () => transport as never).open(api, options);
  }
  throw new suite.HarnessError(
    'The transport must give { port, close } of what listens on the loopback address, a function (Request) => Response, ' +
      'or { send, close }',
  );
}
