import type { Options, OptionValues } from './command.js';
import { type TransportName, transportNames } from './listen.js';
import { parseStorageLocation, type StorageLocation, storageOption } from './storage.js';
import { UsageError } from './usage-error.js';

export const serveOptions = {
  storage: storageOption,
  port: { type: 'string', value: 'N', help: 'Port to listen on; 0 for any free port; default: 4000' },
  transport: {
    type: 'string',
    value: 'NAME',
    help: 'Transport: node, koa or fetch; default: node',
  },
  host: { type: 'string', value: 'H', help: 'Address to listen on; 0.0.0.0 for all; default: 127.0.0.1' },
  'base-url': { type: 'string', value: 'URL', help: 'Address of the API for clients, for example behind a proxy' },
  fixture: { type: 'string', value: 'FILE', help: 'Initial records instead of the demo' },
  'no-simulate': { type: 'boolean', help: 'Turns the simulation off: no agent runs jobs or is lost' },
  json: { type: 'boolean', help: 'Prints one line of JSON when the service is ready, nothing else' },
} as const satisfies Options;

/** The validated options of `serve`. */
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

/** Parses `--base-url`. */
export function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new UsageError(`--base-url must be an http or https URL without a query, not ${JSON.stringify(text)}`);
  }
  return text;
}
