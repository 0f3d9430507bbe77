import { AsyncLocalStorage } from 'node:async_hooks';
import type { Api, Provision, Runtime } from '../../../core/index.js';

/** Runs one piece of work at a time. Work that is started inside other work runs at once, as a part of it. */
export type RunExclusive = <T>(work: () => Promise<T>) => Promise<T>;

/** Call `end` afterwards: while the async context is tracked, every promise of the process costs more. */
export function createMutex(): { readonly inTurn: RunExclusive; end(): void } {
  const inside = new AsyncLocalStorage<true>();
  let last: Promise<unknown> = Promise.resolve();
  return {
    inTurn: (work) => {
      if (inside.getStore()) return work();
      const current = last.then(() => inside.run(true, work));
      last = current.catch(() => {});
      return current;
    },
    end: () => inside.disable(),
  };
}

/** An Api that serves one request, runtime call or provisioning call at a time. */
export const serializedApi = (api: Api, runExclusive: RunExclusive): Api => ({
  ...api,
  handle: (request) => runExclusive(() => api.handle(request)),
  runtime: serializeCalls(runExclusive, api.runtime) as Runtime,
  provision: serializeCalls(runExclusive, api.provision) as Provision,
  load: (fixture, options) => runExclusive(() => api.load(fixture, options)),
});

/** A copy of an object in which every function, at any depth, runs through the mutex. */
function serializeCalls(runExclusive: RunExclusive, part: object): object {
  return Object.fromEntries(
    Object.entries(part).map(([name, one]) => [
      name,
      typeof one === 'function'
        ? (...input: readonly unknown[]) => runExclusive(async () => one(...input))
        : serializeCalls(runExclusive, one),
    ]),
  );
}
