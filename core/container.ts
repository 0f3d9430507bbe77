import { bearerTokenAuthenticator } from './auth/bearer-tokens.js';
import { membershipAuthorizer } from './auth/membership-authorizer.js';
import { makeRenderCache, withLookupCache } from './cache/index.js';
import type { OperationContext } from './commands/command.js';
import type { CommandRuntime } from './commands/execute.js';
import { type EventFeed, makeEventFeed } from './events.js';
import { type Dispatch, makeDispatch } from './http/dispatch.js';
import { operations } from './operations/index.js';
import {
  type ApiOptions,
  apiOptionChecks,
  type ContainerApiOptions,
  type ResolvedOptions,
  reportToConsole,
  resolveOptions,
} from './options.js';
import { anyFunction, missingOption, type OptionCheck, objectWith, wrongOption } from './options-check.js';
import type { Storage } from './ports/index.js';
import { type LoadFixture, makeLoad, makeProvision, type Provision } from './provisioning/index.js';
import { makeLinks } from './representations/links.js';
import { makeRuntime, type Runtime } from './runtime/index.js';
import { formatTimestamp } from './schema/timestamps.js';
import { systemClock, systemIds } from './system.js';
import { tokens } from './tokens.js';
import tsyringe, { type DependencyContainer, type FactoryFunction } from './tsyringe.cjs';

/** The parts of an Api. */
export interface Composition {
  readonly dispatch: Dispatch;
  readonly runtime: Runtime;
  readonly provision: Provision;
  readonly load: LoadFixture;
  readonly events: EventFeed;
  readonly storage: Storage;
  /** Closes parts that the Api created or got as options, in reverse order. */
  dispose(): Promise<void>;
}

type PartName = keyof typeof tokens;
type Part<Name extends PartName> = (typeof tokens)[Name] extends tsyringe.InjectionToken<infer T> ? T : never;

/** What each part must be, from any source. */
const partChecks: { readonly [Name in PartName]: OptionCheck } = {
  ...apiOptionChecks,
  cachedStorage: apiOptionChecks.storage,
  links: objectWith('the links', 'api', 'build'),
  events: objectWith('an event feed', 'read', 'subscribe', 'wake', 'close'),
  onError: anyFunction,
};

/**
 * The composition root: the one place that knows how the parts depend on each other. Every Api has a container of its own, a
 * child of the one that the host program gives, so that several Apis can live in one process; nothing is registered globally.
 */
export function compose(options: ApiOptions | ContainerApiOptions): Composition {
  const settings = resolveOptions(options);
  const disposers: (() => Promise<void>)[] = [];
  const container = registerParts(options, settings, disposers);
  const storage = container.resolve(tokens.cachedStorage);
  const commandRuntime = makeCommandRuntime(container, settings);
  const load = makeLoad(commandRuntime);
  return {
    dispatch: makeDispatch(operations, {
      ...commandRuntime,
      authenticator: container.resolve(tokens.authenticator),
      authorizer: container.resolve(tokens.authorizer),
      bodyLimit: settings.bodyLimit,
      report: container.resolve(tokens.onError),
      pages: container.isRegistered(tokens.pages, true) ? container.resolve(tokens.pages) : undefined,
    }),
    runtime: makeRuntime(commandRuntime),
    load,
    provision: makeProvision(load),
    events: container.resolve(tokens.events),
    storage,
    dispose: () => disposeAll(disposers),
  };
}

/** Registers the options and the defaults in a new child container, beside what the host program has registered. */
function registerParts(
  options: ApiOptions | ContainerApiOptions,
  { baseUrl, webUrl, cache }: ResolvedOptions,
  disposers: (() => Promise<void>)[],
): DependencyContainer {
  const parent = options.container ?? tsyringe.container;
  const container = parent.createChildContainer();
  const provided: PartName[] = [];

  /** An option comes first, then what the host program has registered, then the default. */
  const part = <Name extends PartName>(
    name: Name,
    option: Part<Name> | undefined,
    makeDefault?: FactoryFunction<Part<Name>>,
  ): void => {
    const token = tokens[name] as tsyringe.InjectionToken<Part<Name>>;
    const isProvided = options.container !== undefined && container.isRegistered(token, true);
    if (isProvided && option !== undefined) {
      throw new TypeError(`createApi: option "${name}" is registered in the container as well; give it in one place`);
    }
    if (isProvided) provided.push(name);
    else if (option !== undefined) container.register(token, { useValue: option });
    else if (makeDefault) container.register(token, { useFactory: tsyringe.instanceCachingFactory(makeDefault) });
  };

  const { storage } = options;
  if (storage) disposers.push(() => storage.close());
  part('storage', storage);
  if (!container.isRegistered(tokens.storage, true)) throw missingOption('createApi', 'storage', partChecks.storage);
  part('clock', options.clock, () => systemClock);
  part('ids', options.ids, () => systemIds);
  part('pages', options.pages);
  part('onError', options.onError, () => reportToConsole);
  part('cachedStorage', undefined, (parts) =>
    withLookupCache(parts.resolve(tokens.storage), parts.resolve(tokens.clock), cache.lookups),
  );
  part('authenticator', options.authenticator, (parts) =>
    bearerTokenAuthenticator(parts.resolve(tokens.cachedStorage), parts.resolve(tokens.clock)),
  );
  part('authorizer', options.authorizer, (parts) => membershipAuthorizer(parts.resolve(tokens.cachedStorage)));
  part('links', undefined, () => makeLinks(baseUrl, webUrl));
  part('events', undefined, (parts) => {
    const feed = makeEventFeed(parts.resolve(tokens.cachedStorage), parts.resolve(tokens.onError));
    disposers.push(() => feed.close());
    return feed;
  });

  for (const name of provided) pin(container, name);
  return container;
}

/** Resolves a part of the host program once for this Api, whatever its registration says, and checks what it is. */
function pin<Name extends PartName>(container: DependencyContainer, name: Name): void {
  const token = tokens[name] as tsyringe.InjectionToken<Part<Name>>;
  const value = container.resolve(token);
  if (!partChecks[name].accepts(value)) throw wrongOption('createApi', `container.${name}`, partChecks[name], value);
  container.register(token, { useValue: value });
}

/** Closes in reverse order. All parts are closed even if one fails; the first error is thrown. */
async function disposeAll(disposers: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const dispose of disposers.toReversed()) {
    try {
      await dispose();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

function makeCommandRuntime(container: DependencyContainer, { rules, cache }: ResolvedOptions): CommandRuntime {
  const storage = container.resolve(tokens.cachedStorage);
  const clock = container.resolve(tokens.clock);
  const events = container.resolve(tokens.events);
  const context: OperationContext = {
    reader: storage,
    renderCache: makeRenderCache(cache.renderings),
    links: container.resolve(tokens.links),
    rules,
    next: (sequence) => storage.next(sequence),
    now: () => formatTimestamp(clock.now()),
  };
  return {
    storage,
    uncachedStorage: container.resolve(tokens.storage),
    clock,
    ids: container.resolve(tokens.ids),
    rules,
    context,
    onCommitted: () => events.wake(),
  };
}
