import type { Rules } from './commands/command.js';
import { isApiError } from './errors/index.js';
import type { Auth, Clock, Ids, Pages, Storage } from './ports/index.js';

/** What a host gives to `createApi`. Only the storage is needed. */
export interface ApiOptions {
  readonly storage: Storage;
  /** Where the API is reached, as clients see it; may carry a path prefix. Answers carry addresses below it. */
  readonly baseUrl?: string;
  /** Where people look at builds and agents: the base of every `web_url`. Default: the base URL. */
  readonly webUrl?: string;
  /** Default: the access tokens in the storage. */
  readonly auth?: Auth;
  readonly clock?: Clock;
  readonly ids?: Ids;
  /** Pages for people beside the API, such as `docsPage()` of `millrace/docs`. Default: none. */
  readonly pages?: Pages;
  /** Largest request body in bytes. Default: 1 MiB. */
  readonly bodyLimit?: number;
  /** Whether canceling a build ends it at once, or lets running jobs report first. Default: `immediate`. */
  readonly cancellation?: Rules['cancellation'];
  /** What is kept in memory so that it need not be asked for again. It never makes an answer stale. */
  readonly cache?: CacheOptions;
  /** Seconds without a sign of life after which `host.sweep` takes an agent for lost. Default: 180. */
  readonly agentsLostAfter?: number;
  /** Told of every error that was answered with 500 or 503. Default: `console.error`. */
  readonly onError?: (error: unknown) => void;
}

export interface CacheOptions {
  /** Bytes for builds and agents as they were sent, each under the version it was made from. Default: 64 MiB; 0: none. */
  readonly renderings?: number;
  /**
   * Milliseconds for which tokens, slugs, users, pipeline counters and the lengths of lists may be kept. Changes through this
   * Api show at once; those of other processes after this time. Default: 1,000, which is the most; 0: none.
   */
  readonly lookups?: number;
}

/** The options with every choice made. */
export interface ResolvedOptions {
  readonly baseUrl: string;
  readonly webUrl: string;
  readonly bodyLimit: number;
  readonly rules: Rules;
  readonly cache: Required<CacheOptions>;
  readonly onError: (error: unknown) => void;
}

const mebibyte = 1_048_576;

/** Checks the options; a host's mistake is told before anything is served. */
export function resolveOptions(options: ApiOptions): ResolvedOptions {
  if (typeof options?.storage?.commit !== 'function') throw new TypeError('createApi needs a storage');
  const baseUrl = readBaseUrl(options.baseUrl);
  return {
    baseUrl,
    webUrl: absoluteUrl('webUrl', options.webUrl ?? baseUrl),
    bodyLimit: positive('bodyLimit', options.bodyLimit ?? mebibyte),
    rules: {
      cancellation: oneOf('cancellation', ['immediate', 'graceful'], options.cancellation ?? 'immediate'),
      agentsLostAfter: positive('agentsLostAfter', options.agentsLostAfter ?? 180),
    },
    cache: {
      renderings: within('cache.renderings', options.cache?.renderings ?? 64 * mebibyte, Number.MAX_SAFE_INTEGER),
      lookups: within('cache.lookups', options.cache?.lookups ?? 1_000, 1_000),
    },
    onError: options.onError ?? reportError,
  };
}

/** Where the API is reached, without a slash at the end. */
export const readBaseUrl = (given = 'http://localhost:4000'): string => absoluteUrl('baseUrl', given);

/** Writes what broke to the console, unless it is an answer that was meant. */
function reportError(error: unknown): void {
  if (!isApiError(error)) console.error(error);
}

function absoluteUrl(name: string, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new TypeError(`${name} must be an http or https URL without a query, not ${JSON.stringify(value)}`);
  }
  return value.replace(/\/+$/, '');
}

function positive(name: string, value: number): number {
  if (!Number.isFinite(value) || value <= 0) throw new TypeError(`${name} must be a positive number, not ${value}`);
  return value;
}

function within(name: string, value: number, most: number): number {
  if (!Number.isFinite(value) || value < 0 || value > most) {
    throw new TypeError(`${name} must be a number from 0 to ${most}, not ${value}`);
  }
  return value;
}

function oneOf<T extends string>(name: string, values: readonly T[], value: T): T {
  if (!values.includes(value)) throw new TypeError(`${name} must be one of ${values.join(', ')}, not ${value}`);
  return value;
}
