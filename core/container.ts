import { storedTokens } from './auth/stored-tokens.js';
import { makeRenderCache, withLookupCache } from './cache/index.js';
import type { OperationContext } from './commands/command.js';
import type { CommandRuntime } from './commands/execute.js';
import { type EventFeed, makeEventFeed } from './events.js';
import { type Dispatch, makeDispatch } from './http/dispatch.js';
import { operations } from './operations/index.js';
import { type ApiOptions, type ResolvedOptions, resolveOptions } from './options.js';
import type { Auth, Clock, Ids, Storage } from './ports/index.js';
import { type Links, makeLinks } from './representations/links.js';
import { makeRuntime, type Runtime } from './runtime/index.js';
import { formatTimestamp } from './schema/timestamps.js';
import { systemClock, systemIds } from './system.js';
import tsyringe from './tsyringe.cjs';

/** What an Api is made of. */
export interface Composition {
  readonly dispatch: Dispatch;
  readonly host: Runtime;
  readonly events: EventFeed;
  readonly storage: Storage;
  /** Lets go of everything that was made. */
  dispose(): Promise<void>;
}

const token = <T>(name: string): tsyringe.InjectionToken<T> => Symbol(name);

const tokens = {
  settings: token<ResolvedOptions>('settings'),
  database: token<Storage>('database'),
  storage: token<Storage>('storage'),
  clock: token<Clock>('clock'),
  ids: token<Ids>('ids'),
  auth: token<Auth>('auth'),
  links: token<Links>('links'),
  events: token<EventFeed>('events'),
  shell: token<CommandRuntime>('shell'),
  dispatch: token<Dispatch>('dispatch'),
  host: token<Runtime>('host'),
};

/**
 * The composition root: the one place that knows how the parts hang together. Every Api has a container of its own, so that
 * several of them can live in one process; nothing is registered globally.
 */
export function compose(options: ApiOptions): Composition {
  const parts = tsyringe.container.createChildContainer();
  const made = new Map<tsyringe.InjectionToken<unknown>, unknown>();

  const value = <T>(name: tsyringe.InjectionToken<T>, of: T) => parts.register<T>(name, { useValue: of });
  const factory = <T>(name: tsyringe.InjectionToken<T>, make: () => T) =>
    parts.register<T>(name, {
      useFactory: () => {
        if (!made.has(name)) made.set(name, make());
        return made.get(name) as T;
      },
    });
  const resolve = <T>(name: tsyringe.InjectionToken<T>): T => parts.resolve(name);

  value(tokens.settings, resolveOptions(options));
  value(tokens.database, options.storage);
  value(tokens.clock, options.clock ?? systemClock);
  value(tokens.ids, options.ids ?? systemIds);
  factory(tokens.storage, () =>
    withLookupCache(resolve(tokens.database), resolve(tokens.clock), resolve(tokens.settings).cache.lookups),
  );
  factory(tokens.auth, () => options.auth ?? storedTokens(resolve(tokens.storage), resolve(tokens.clock)));
  factory(tokens.links, () => makeLinks(resolve(tokens.settings).baseUrl, resolve(tokens.settings).webUrl));
  factory(tokens.events, () => makeEventFeed(resolve(tokens.storage), resolve(tokens.settings).onError));
  factory(tokens.shell, () => makeCommandRuntime(resolve));
  factory(tokens.dispatch, () =>
    makeDispatch(operations, {
      ...resolve(tokens.shell),
      storage: resolve(tokens.storage),
      auth: resolve(tokens.auth),
      bodyLimit: resolve(tokens.settings).bodyLimit,
      report: resolve(tokens.settings).onError,
      pages: options.pages,
    }),
  );
  factory(tokens.host, () => makeRuntime(resolve(tokens.shell)));

  return {
    dispatch: resolve(tokens.dispatch),
    host: resolve(tokens.host),
    events: resolve(tokens.events),
    storage: resolve(tokens.storage),
    async dispose() {
      await resolve(tokens.events).close();
      await resolve(tokens.storage).close();
      await parts.dispose();
    },
  };
}

function makeCommandRuntime(resolve: <T>(name: tsyringe.InjectionToken<T>) => T): CommandRuntime {
  const storage = resolve(tokens.storage);
  const clock = resolve(tokens.clock);
  const { rules, cache } = resolve(tokens.settings);
  const context: OperationContext = {
    reader: storage,
    renderCache: makeRenderCache(cache.renderings),
    links: resolve(tokens.links),
    rules,
    next: (sequence) => storage.next(sequence),
    now: () => formatTimestamp(clock.now()),
  };
  return {
    storage,
    uncachedStorage: resolve(tokens.database),
    clock,
    ids: resolve(tokens.ids),
    rules,
    context,
    onCommitted: () => resolve(tokens.events).wake(),
  };
}
