import type { Options, OptionValues } from './command.js';
import { type TransportName, transportNames } from './listen.js';
import { parseStorageLocation, type StorageLocation, storageOption } from './storage.js';
import { UsageError } from './usage-error.js';

export const serveOptions = {
  storage: storageOption,
  port: { type: 'string', value: 'N', help: '4000 if absent; 0 for any free port' },
  transport: {
    type: 'string',
    value: 'NAME',
    help: 'node if absent, koa or fetch: what stands between HTTP and the API',
  },
  host: { type: 'string', value: 'H', help: 'Address to listen on; 127.0.0.1 if absent, 0.0.0.0 for all' },
  'base-url': { type: 'string', value: 'URL', help: 'Where clients reach it, if not there: behind a proxy, say' },
  fixture: { type: 'string', value: 'FILE', help: 'Records to begin with, instead of those of the demo' },
  'no-simulate': { type: 'boolean', help: 'No agent works, none gets lost: nothing moves by itself' },
  json: { type: 'boolean', help: 'One line of JSON on stdout once it is ready, and nothing else' },
} as const satisfies Options;

/** What was chosen on the command line of `serve`. */
export interface ResolvedServeOptions {
  readonly location: StorageLocation;
  readonly transport: TransportName;
  readonly port: number;
  readonly host: string;
  readonly baseUrl: string | undefined;
  readonly fixture: string | undefined;
  readonly simulate: boolean;
  readonly json: boolean;
}

export function resolveServeOptions(values: OptionValues<typeof serveOptions>): ResolvedServeOptions {
  return {
    location: parseStorageLocation(values.storage),
    transport: parseTransport(values.transport ?? 'node'),
    port: parsePort(values.port ?? '4000'),
    host: values.host ?? '127.0.0.1',
    baseUrl: values['base-url'] === undefined ? undefined : parseBaseUrl(values['base-url']),
    fixture: values.fixture,
    simulate: values['no-simulate'] !== true,
    json: values.json === true,
  };
}

function parseTransport(text: string): TransportName {
  const transport = transportNames.find((known) => known === text);
  if (transport === undefined) {
    throw new UsageError(`--transport must be one of ${transportNames.join(', ')}, not ${JSON.stringify(text)}`);
  }
  return transport;
}

function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new UsageError(`--port must be a number from 0 to 65535, not ${JSON.stringify(text)}`);
  }
  return Number(text);
}

/** Reads `--base-url`. */
export function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new UsageError(`--base-url must be an http or https URL without a query, not ${JSON.stringify(text)}`);
  }
  return text;
}
