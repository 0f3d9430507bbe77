import { seededIds } from '../../adapters/fake/seeded-ids.js';
import { clock, events, ids, type ServiceFault } from './fault.js';

/** Mistakes in what time it is, in what is new, and in what happened. */
export const portFaults: readonly ServiceFault[] = [
  clock('goes back', ({ now }) => {
    let asked = 0;
    return { now: () => now() - 1_000 * asked++ };
  }),
  clock('stands still for ever', ({ now }) => {
    const start = now();
    return { now: () => start };
  }),
  clock('counts in seconds', ({ now }) => ({ now: () => Math.floor(now() / 1_000) })),
  clock('loses the milliseconds', ({ now }) => ({ now: () => Math.floor(now() / 1_000) * 1_000 })),
  clock('tells the time of another zone', ({ now }) => ({ now: () => now() + 3_600_000 })),

  ids('repeat', () => {
    const again = () => seededIds(1);
    return { take: (count, now) => again().take(count, now) };
  }),
  ids('repeat within one change', ({ take }) => ({
    take: (count, now) => Array<string>(count).fill(take(1, now)[0] ?? ''),
  })),
  ids('descend', ({ take }) => ({ take: (count, now) => take(count, now).toReversed() })),
  ids('are too few', ({ take }) => ({ take: (count, now) => take(Math.max(0, count - 1), now) })),
  ids('are in upper case', ({ take }) => ({ take: (count, now) => take(count, now).map((id) => id.toUpperCase()) })),
  ids('give one secret to all', () => ({ secret: (length) => 'x'.repeat(length) })),
  ids('give short secrets', ({ secret }) => ({ secret: (length) => secret(length - 1) })),

  events('are delivered twice', (good) => async (after, limit) => {
    return (await good(after, limit)).flatMap((event) => [event, event]);
  }),
  events('are delivered out of order', (good) => async (after, limit) => (await good(after, limit)).toReversed()),
  events('are delivered from the one that was heard last', (good) => (after, limit) => good(after - 1, limit)),
  events('are lost one in a while', (good) => async (after, limit) => {
    return (await good(after, limit)).filter(({ sequence }) => sequence % 5 !== 0);
  }),
];
