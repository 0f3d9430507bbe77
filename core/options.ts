import type { Rules } from './commands/command.js';
import { isApiError } from './errors/index.js';
import {
  anyFunction,
  type ChecksOf,
  checkOptions,
  httpUrl,
  nested,
  numberFrom,
  objectWith,
  oneOf,
  positive,
} from './options-check.js';
import type { Authenticator, Authorizer, Clock, Ids, Pages, Storage } from './ports/index.js';
import type { DependencyContainer } from './tsyringe.cjs';

/** Options of `createApi`. Only the storage is needed. All times are in milliseconds, all sizes in bytes. */
export interface ApiOptions {
  /** Where the records are: `memoryStorage()`, `knexStorage(…)` or your own. Closed by `api.close()`. */
  readonly storage: Storage;
  /** Where clients reach the API; may have a path. Addresses in responses are below it. Default: `http://localhost:4000`. */
  readonly baseUrl?: string;
  /** Where people look at builds and agents: the base of every `web_url`. Default: `baseUrl`. */
  readonly webUrl?: string;
  /** Finds out who sends a request. Default: `bearerTokenAuthenticator`, over the access tokens in the storage. */
  readonly authenticator?: Authenticator;
  /** Decides about rights that go beyond a scope. Default: `membershipAuthorizer`, by the roles and teams in the storage. */
  readonly authorizer?: Authorizer;
  /** Default: the system's clock. */
  readonly clock?: Clock;
  /** Makes ids, secrets and random numbers. Default: from the system's random bytes. */
  readonly ids?: Ids;
  /** Static pages beside the API, such as `docsPage()` of `millrace/docs`. Default: none. */
  readonly pages?: Pages;
  /** Largest request body, in bytes. Default: 1 MiB. */
  readonly bodyLimit?: number;
  /** Whether canceling a build ends it at once, or lets running jobs report first (decisions 7). Default: `immediate`. */
  readonly cancellation?: Rules['cancellation'];
  /** Sizes and lifetimes of the caches. */
  readonly cache?: CacheOptions;
  /** Milliseconds without a heartbeat after which `runtime.sweep` declares an agent lost. Default: 180,000 (3 minutes). */
  readonly agentTimeout?: number;
  /** Called with every error that is answered with 500 or 503. Default: `console.error`. */
  readonly onError?: (error: unknown) => void;
  /**
   * A tsyringe container with parts of your own, registered under `tokens`. What is registered there cannot be given as an
   * option as well. The API works in a child of it and registers nothing in it.
   */
  readonly container?: DependencyContainer;
}

/** Options of `createApi` when the container has the storage. */
export interface ContainerApiOptions extends Omit<ApiOptions, 'storage' | 'container'> {
  readonly container: DependencyContainer;
  readonly storage?: Storage;
}

/** Options of the caches. */
export interface CacheOptions {
  /**
   * Bytes for rendered builds and agents, each under its id and version, so that none is ever out of date. Default: 64 MiB; 0: no
   * cache.
   */
  readonly renderings?: number;
  /**
   * Milliseconds for which tokens, slugs, users, pipeline counters and list totals are cached. Changes through this Api are
   * visible at once; those of other processes after this time. Default: 1,000, which is the most; 0: no cache.
   */
  readonly lookups?: number;
}

/** The options with every default filled in, without the parts that the container has. */
export interface ResolvedOptions {
  readonly baseUrl: string;
  readonly webUrl: string;
  readonly bodyLimit: number;
  readonly rules: Rules;
  readonly cache: Required<CacheOptions>;
}

const mebibyte = 1_048_576;

/** The check of each option of `createApi`. */
export const apiOptionChecks: ChecksOf<ApiOptions> = {
  storage: objectWith('a storage', 'prepare', 'find', 'load', 'select', 'count', 'commit', 'next', 'events', 'close'),
  baseUrl: httpUrl,
  webUrl: httpUrl,
  authenticator: objectWith('an authenticator', 'authenticate'),
  authorizer: objectWith('an authorizer', 'isAllowed'),
  clock: objectWith('a clock', 'now', 'sleep'),
  ids: objectWith('a source of ids', 'uuids', 'secret', 'random'),
  pages: objectWith('static pages', 'matches', 'get'),
  bodyLimit: positive,
  cancellation: oneOf('immediate', 'graceful'),
  cache: nested({
    renderings: numberFrom(0, Number.MAX_SAFE_INTEGER),
    lookups: numberFrom(0, 1_000),
  } satisfies ChecksOf<CacheOptions>),
  agentTimeout: positive,
  onError: anyFunction,
  container: objectWith('a tsyringe container', 'resolve', 'isRegistered', 'createChildContainer'),
};

/** Checks the options and fills in the defaults. Throws `TypeError` for an option that is unknown or wrong. */
export function resolveOptions(options: ApiOptions | ContainerApiOptions): ResolvedOptions {
  checkOptions('createApi', options, apiOptionChecks);
  const baseUrl = readBaseUrl(options);
  return {
    baseUrl,
    webUrl: withoutTrailingSlash(options.webUrl ?? baseUrl),
    bodyLimit: options.bodyLimit ?? mebibyte,
    rules: {
      cancellation: options.cancellation ?? 'immediate',
      agentTimeout: options.agentTimeout ?? 180_000,
    },
    cache: {
      renderings: options.cache?.renderings ?? 64 * mebibyte,
      lookups: options.cache?.lookups ?? 1_000,
    },
  };
}

/** Where the API is reached, without a slash at the end. */
export const readBaseUrl = ({ baseUrl = 'http://localhost:4000' }: Pick<ApiOptions, 'baseUrl'>): string =>
  withoutTrailingSlash(baseUrl);

const withoutTrailingSlash = (url: string): string => url.replace(/\/+$/, '');

/** Writes unexpected errors to the console: not those that are meant as a response. */
export function reportToConsole(error: unknown): void {
  if (!isApiError(error)) console.error(error);
}
