import { storedTokens } from './auth/stored-tokens.js';
import tsyringe from './container.cjs';
import { timestamp } from './contract/dates.js';
import type { Surroundings } from './contract/operation.js';
import { type Dispatch, makeDispatch } from './http/dispatch.js';
import { type EventFeed, makeEventFeed } from './events.js';
import type { Shell } from './execute.js';
import { type Host, makeHost } from './host/index.js';
import { keepLookups, keepRenderings } from './kept/index.js';
import { operations } from './operations/index.js';
import type { Auth, Clock, Ids, Storage } from './ports/index.js';
import { type Links, makeLinks } from './representations/links.js';
import { type ApiOptions, type Settings, settle } from './settings.js';
import { systemClock, systemIds } from './system.js';

/** What an Api is made of. */
export interface Composition {
  readonly dispatch: Dispatch;
  readonly host: Host;
  readonly events: EventFeed;
  readonly storage: Storage;
  /** Lets go of everything that was made. */
  dispose(): Promise<void>;
}

const token = <T>(name: string): tsyringe.InjectionToken<T> => Symbol(name);

const names = {
  settings: token<Settings>('settings'),
  database: token<Storage>('database'),
  storage: token<Storage>('storage'),
  clock: token<Clock>('clock'),
  ids: token<Ids>('ids'),
  auth: token<Auth>('auth'),
  links: token<Links>('links'),
  events: token<EventFeed>('events'),
  shell: token<Shell>('shell'),
  dispatch: token<Dispatch>('dispatch'),
  host: token<Host>('host'),
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
  const the = <T>(name: tsyringe.InjectionToken<T>): T => parts.resolve(name);

  value(names.settings, settle(options));
  value(names.database, options.storage);
  value(names.clock, options.clock ?? systemClock);
  value(names.ids, options.ids ?? systemIds);
  factory(names.storage, () => keepLookups(the(names.database), the(names.clock), the(names.settings).cache.lookups));
  factory(names.auth, () => options.auth ?? storedTokens(the(names.storage), the(names.clock)));
  factory(names.links, () => makeLinks(the(names.settings).baseUrl, the(names.settings).webUrl));
  factory(names.events, () => makeEventFeed(the(names.storage), the(names.settings).onError));
  factory(names.shell, () => makeShell(the));
  factory(names.dispatch, () =>
    makeDispatch(operations, {
      ...the(names.shell),
      storage: the(names.storage),
      auth: the(names.auth),
      bodyLimit: the(names.settings).bodyLimit,
      report: the(names.settings).onError,
      pages: options.pages,
    }),
  );
  factory(names.host, () => makeHost(the(names.shell)));

  return {
    dispatch: the(names.dispatch),
    host: the(names.host),
    events: the(names.events),
    storage: the(names.storage),
    async dispose() {
      await the(names.events).close();
      await the(names.storage).close();
      await parts.dispose();
    },
  };
}

function makeShell(the: <T>(name: tsyringe.InjectionToken<T>) => T): Shell {
  const storage = the(names.storage);
  const clock = the(names.clock);
  const { rules, cache } = the(names.settings);
  const surroundings: Surroundings = {
    reader: storage,
    renderings: keepRenderings(cache.renderings),
    links: the(names.links),
    rules,
    next: (sequence) => storage.next(sequence),
    now: () => timestamp(clock.now()),
  };
  return {
    storage,
    fresh: the(names.database),
    clock,
    ids: the(names.ids),
    rules,
    surroundings,
    committed: () => the(names.events).wake(),
  };
}
