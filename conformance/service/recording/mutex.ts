import { AsyncLocalStorage } from 'node:async_hooks';
import type { Api } from '../../../core/index.js';

/** Begins work when all that came before it is done; work that is begun from inside other work goes with it. */
export type RunExclusive = <T>(work: () => Promise<T>) => Promise<T>;

/** `end` is to be called when all is done: as long as somebody asks who began what, every promise of the process costs more. */
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

/** An Api to which one thing is done at a time, requests and calls of the host alike. */
export const serializedApi = (api: Api, runExclusive: RunExclusive): Api => ({
  ...api,
  handle: (request) => runExclusive(() => api.handle(request)),
  host: serializeCalls(runExclusive, api.host) as Api['host'],
});

/** The same functions, at whatever depth, each called through `inTurn`. */
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
