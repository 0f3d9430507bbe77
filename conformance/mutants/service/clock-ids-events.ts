import { seededIds } from '../../../adapters/fake/seeded-ids.js';
import { clockMutant, eventsMutant, idsMutant, type ServiceMutant } from './mutant.js';

/** Faults of clocks, id generators and event feeds. */
export const portMutants: readonly ServiceMutant[] = [
  clockMutant('runs backwards', ({ now }) => {
    let calls = 0;
    return { now: () => now() - 1_000 * calls++ };
  }),
  clockMutant('does not advance', ({ now }) => {
    const start = now();
    return { now: () => start };
  }),
  clockMutant('returns seconds', ({ now }) => ({ now: () => Math.floor(now() / 1_000) })),
  clockMutant('drops the milliseconds', ({ now }) => ({ now: () => Math.floor(now() / 1_000) * 1_000 })),
  clockMutant('returns the time of another time zone', ({ now }) => ({ now: () => now() + 3_600_000 })),

  idsMutant('repeat', () => {
    return { uuids: (count, now) => seededIds(1).uuids(count, now) };
  }),
  idsMutant('repeat within one command', ({ uuids }) => ({
    uuids: (count, now) => Array<string>(count).fill(uuids(1, now)[0] ?? ''),
  })),
  idsMutant('descend', ({ uuids }) => ({ uuids: (count, now) => uuids(count, now).toReversed() })),
  idsMutant('are too few', ({ uuids }) => ({ uuids: (count, now) => uuids(Math.max(0, count - 1), now) })),
  idsMutant('are in upper case', ({ uuids }) => ({
    uuids: (count, now) => uuids(count, now).map((id) => id.toUpperCase()),
  })),
  idsMutant('return the same secret every time', () => ({ secret: (length) => 'x'.repeat(length) })),
  idsMutant('return secrets that are too short', ({ secret }) => ({ secret: (length) => secret(length - 1) })),

  eventsMutant('are delivered twice', (original) => async (after, limit) => {
    return (await original(after, limit)).flatMap((event) => [event, event]);
  }),
  eventsMutant(
    'are delivered out of order',
    (original) => async (after, limit) => (await original(after, limit)).toReversed(),
  ),
  eventsMutant('repeat the last delivered event', (original) => (after, limit) => original(after - 1, limit)),
  eventsMutant('are sometimes lost', (original) => async (after, limit) => {
    return (await original(after, limit)).filter(({ sequence }) => sequence % 5 !== 0);
  }),
];
