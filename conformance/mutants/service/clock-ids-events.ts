import { seededIds } from '../../../adapters/fake/seeded-ids.js';
import { clockMutant, eventsMutant, idsMutant, type ServiceMutant } from './mutant.js';

/** Mistakes in what time it is, in what is new, and in what happened. */
export const portMutants: readonly ServiceMutant[] = [
  clockMutant('goes back', ({ now }) => {
    let calls = 0;
    return { now: () => now() - 1_000 * calls++ };
  }),
  clockMutant('stands still for ever', ({ now }) => {
    const start = now();
    return { now: () => start };
  }),
  clockMutant('counts in seconds', ({ now }) => ({ now: () => Math.floor(now() / 1_000) })),
  clockMutant('loses the milliseconds', ({ now }) => ({ now: () => Math.floor(now() / 1_000) * 1_000 })),
  clockMutant('tells the time of another zone', ({ now }) => ({ now: () => now() + 3_600_000 })),

  idsMutant('repeat', () => {
    const again = () => seededIds(1);
    return { uuids: (count, now) => again().uuids(count, now) };
  }),
  idsMutant('repeat within one change', ({ uuids }) => ({
    uuids: (count, now) => Array<string>(count).fill(uuids(1, now)[0] ?? ''),
  })),
  idsMutant('descend', ({ uuids }) => ({ uuids: (count, now) => uuids(count, now).toReversed() })),
  idsMutant('are too few', ({ uuids }) => ({ uuids: (count, now) => uuids(Math.max(0, count - 1), now) })),
  idsMutant('are in upper case', ({ uuids }) => ({
    uuids: (count, now) => uuids(count, now).map((id) => id.toUpperCase()),
  })),
  idsMutant('give one secret to all', () => ({ secret: (length) => 'x'.repeat(length) })),
  idsMutant('give short secrets', ({ secret }) => ({ secret: (length) => secret(length - 1) })),

  eventsMutant('are delivered twice', (original) => async (after, limit) => {
    return (await original(after, limit)).flatMap((event) => [event, event]);
  }),
  eventsMutant(
    'are delivered out of order',
    (original) => async (after, limit) => (await original(after, limit)).toReversed(),
  ),
  eventsMutant(
    'are delivered from the one that was heard last',
    (original) => (after, limit) => original(after - 1, limit),
  ),
  eventsMutant('are lost one in a while', (original) => async (after, limit) => {
    return (await original(after, limit)).filter(({ sequence }) => sequence % 5 !== 0);
  }),
];
