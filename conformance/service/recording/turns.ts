import { AsyncLocalStorage } from 'node:async_hooks';
import type { Api } from '../../../core/index.js';

/** Begins work when all that came before it is done; work that is begun from inside other work goes with it. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>;

/** `end` is to be called when all is done: as long as somebody asks who began what, every promise of the process costs more. */
export function turns(): { readonly inTurn: Turns; end(): void } {
  const inside = new AsyncLocalStorage<true>();
  let last: Promise<unknown> = Promise.resolve();
  return {
    inTurn: (work) => {
      if (inside.getStore()) return work();
      const mine = last.then(() => inside.run(true, work));
      last = mine.catch(() => {});
      return mine;
    },
    end: () => inside.disable(),
  };
}

/** An Api to which one thing is done at a time, requests and calls of the host alike. */
export const takingTurns = (api: Api, inTurn: Turns): Api => ({
  ...api,
  handle: (request) => inTurn(() => api.handle(request)),
  host: calledBy(inTurn, api.host) as Api['host'],
});

/** The same functions, at whatever depth, each called through `inTurn`. */
function calledBy(inTurn: Turns, part: object): object {
  return Object.fromEntries(
    Object.entries(part).map(([name, one]) => [
      name,
      typeof one === 'function'
        ? (...input: readonly unknown[]) => inTurn(async () => one(...input))
        : calledBy(inTurn, one),
    ]),
  );
}
