import type { Given, Options } from './command.js';
import { Complaint } from './complaint.js';
import { type Transport, transports } from './listen.js';
import { type Place, placeOf, storageOption } from './storage.js';

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
export interface Choices {
  readonly place: Place;
  readonly transport: Transport;
  readonly port: number;
  readonly host: string;
  readonly baseUrl: string | undefined;
  readonly fixture: string | undefined;
  readonly simulate: boolean;
  readonly json: boolean;
}

export function choicesOf(given: Given<typeof serveOptions>): Choices {
  return {
    place: placeOf(given.storage),
    transport: transportOf(given.transport ?? 'node'),
    port: portOf(given.port ?? '4000'),
    host: given.host ?? '127.0.0.1',
    baseUrl: given['base-url'] === undefined ? undefined : baseUrlOf(given['base-url']),
    fixture: given.fixture,
    simulate: given['no-simulate'] !== true,
    json: given.json === true,
  };
}

function transportOf(text: string): Transport {
  const transport = transports.find((known) => known === text);
  if (transport === undefined) {
    throw new Complaint(`--transport must be one of ${transports.join(', ')}, not ${JSON.stringify(text)}`);
  }
  return transport;
}

function portOf(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new Complaint(`--port must be a number from 0 to 65535, not ${JSON.stringify(text)}`);
  }
  return Number(text);
}

/** Reads `--base-url`. */
export function baseUrlOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new Complaint(`--base-url must be an http or https URL without a query, not ${JSON.stringify(text)}`);
  }
  return text;
}
