import type { EventFeed } from './events.js';
import type { Authenticator, Authorizer, Clock, Ids, Pages, Storage } from './ports/index.js';
import type { Links } from './representations/links.js';
import tsyringe, { type DependencyContainer, type InjectionToken } from './tsyringe.cjs';

export type { DependencyContainer, InjectionToken };

const token = <T>(name: string): InjectionToken<T> => Symbol(`millrace.${name}`);

/**
 * The parts of an Api that can be replaced, as tokens of tsyringe. Register your own under them in a container, and give the
 * container to `createApi`. What is not registered there has its default, and your factories can resolve the others.
 *
 * Register values, singletons, or factories with `instanceCachingFactory`. An Api resolves each part once. Parts that come from
 * the container stay open when the Api is closed: they belong to the container's owner.
 *
 * @example
 * const container = createContainer();
 * container.register(tokens.storage, { useValue: knexStorage({ client: 'sqlite', filename: 'ci.db' }) });
 * container.register(tokens.authorizer, {
 *   useFactory: (parts) => readOnlyOnSundays(membershipAuthorizer(parts.resolve(tokens.cachedStorage))),
 * });
 * const api = createApi({ container, baseUrl: 'https://ci.example.com' });
 */
export const tokens = {
  /** Where the records are. */
  storage: token<Storage>('storage'),
  /** The storage behind the lookup cache: what requests read through. Default: a cache in front of `storage`. */
  cachedStorage: token<Storage>('cachedStorage'),
  /** The time, and waiting. Default: the system's. */
  clock: token<Clock>('clock'),
  /** Ids, secrets and random numbers. Default: from the system's random bytes. */
  ids: token<Ids>('ids'),
  /** Finds out who sends a request. Default: `bearerTokenAuthenticator`. */
  authenticator: token<Authenticator>('authenticator'),
  /** Decides about rights that go beyond a scope. Default: `membershipAuthorizer`. */
  authorizer: token<Authorizer>('authorizer'),
  /** The addresses in responses. Default: `makeLinks(baseUrl, webUrl)`. */
  links: token<Links>('links'),
  /** The event feed. Default: `makeEventFeed`, over the outbox of the storage. */
  events: token<EventFeed>('events'),
  /** Static pages beside the API. Default: none. */
  pages: token<Pages>('pages'),
  /** Called with every error that is answered with 500 or 503. Default: `console.error`. */
  onError: token<(error: unknown) => void>('onError'),
} as const;

/** A new tsyringe container in which to register parts. Any other tsyringe container does as well. */
export const createContainer = (): DependencyContainer => tsyringe.container.createChildContainer();
