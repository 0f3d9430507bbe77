import type {
  OpenOptions,
  OpenTransport,
  TransportCapability,
  TransportHarness,
} from '../../../conformance/transport/index.js';
import type { HttpApi } from '../../../core/ports/index.js';
import { UsageError } from '../usage-error.js';
import { loadModule } from './load-module.js';
import type { ConformanceSuite } from './load-suite.js';

/** A transport to test. */
export interface TransportTarget {
  readonly harness: TransportHarness;
  readonly capabilities: readonly TransportCapability[];
  /** Capabilities of a whole service behind it. */
  readonly serviceCapabilities: readonly string[];
}

/** The capabilities of a transport with its host, and of a service behind it. */
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
 * Loads a transport module. Its default export, or the export `transport`, is a function that puts an API behind the transport.
 * `capabilities` lists what it can do beyond the minimum. Throws `UsageError` if an export is invalid. An invalid result of the
 * function is an error of the case that calls it.
 */
export async function loadTransportModule(path: string, suite: ConformanceSuite): Promise<TransportTarget> {
  const moduleExports = await loadModule(path);
  const factory = moduleExports.default ?? moduleExports.transport;
  if (typeof factory !== 'function') {
    throw new UsageError(
      `${path} must export a function as its default or as transport, which puts an API behind the transport`,
    );
  }
  const declared = parseCapabilities(path, moduleExports.capabilities ?? []);
  return {
    harness: {
      open: async (api, options = {}) =>
        openTransport(suite, await (factory as TransportFactory)(api, options), api, options),
    },
    capabilities: transportCapabilities.filter((capability) => declared.includes(capability)),
    serviceCapabilities: serviceCapabilities.filter((capability) => declared.includes(capability)),
  };
}

function parseCapabilities(path: string, capabilities: unknown): readonly string[] {
  if (!Array.isArray(capabilities))
    throw new UsageError(`${path} exports capabilities, which must be an array of strings`);
  const known: readonly unknown[] = [...transportCapabilities, ...serviceCapabilities];
  const unknownCapability = capabilities.find((capability) => !known.includes(capability));
  if (unknownCapability === undefined) return capabilities;
  throw new UsageError(
    `${path} declares the capability ${JSON.stringify(unknownCapability)}; known are ${[...new Set(known)].join(', ')}`,
  );
}

/** Opens a transport of any of the three forms: a listening server, a fetch handler, or a `send` function. */
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
    'The transport must return { port, close } of a server on the loopback address, a function (Request) => Response, ' +
      'or { send, close }',
  );
}
