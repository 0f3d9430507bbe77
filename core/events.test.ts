import test from 'ava';
import fc from 'fast-check';
import { memoryStorage } from '../adapters/memory/index.js';
import { scaledRuns, seed } from '../conformance/property-settings.js';
import { batch } from './commands/batch.js';
import { type EventFeed, makeEventFeed } from './events.js';
import type { Storage } from './ports/index.js';

const settings = { seed, numRuns: scaledRuns(100) };

const store = (storage: Storage, count: number) =>
  storage.commit(
    batch({
      events: Array.from({ length: count }, () => ({
        type: 'a.b',
        organization_id: 'o',
        at: '2026-01-01T00:00:00.000Z',
        data: {},
      })),
    }),
  );
const upTo = (last: number, after = 0) =>
  Array.from({ length: Math.max(0, last - after) }, (_, index) => after + index + 1);

/** A feed over a storage of its own, with everything that it reported. */
function scene(): { storage: Storage; feed: EventFeed; errors: unknown[] } {
  const storage = memoryStorage();
  const errors: unknown[] = [];
  return { storage, feed: makeEventFeed(storage, (error) => errors.push(error)), errors };
}

/** Lets everything that is under way come to rest. */
async function rest(feed: EventFeed): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    await feed.settled();
  }
}

test('every listener gets every event once and in order, however commits, wakes and pauses interleave', async (t) => {
  const step = fc.oneof(
    fc.record({ commit: fc.integer({ min: 1, max: 130 }) }),
    fc.constant({ wake: true }),
    fc.record({ ticks: fc.integer({ min: 1, max: 6 }) }),
    fc.record({ subscribe: fc.boolean() }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const { storage, feed, errors } = scene();
      const lists: { got: number[]; from: number }[] = [];
      let stored = 0;
      for (const chosen of steps) {
        if ('commit' in chosen) {
          await store(storage, chosen.commit);
          stored += chosen.commit;
        } else if ('wake' in chosen) feed.wake();
        else if ('ticks' in chosen) for (let tick = 0; tick < chosen.ticks; tick += 1) await undefined;
        else {
          const list = { got: [] as number[], from: chosen.subscribe ? 0 : stored };
          lists.push(list);
          await feed.subscribe(({ sequence }) => void list.got.push(sequence), chosen.subscribe ? { after: 0 } : {});
        }
      }
      feed.wake();
      await feed.settled();
      for (const { got, from } of lists) t.deepEqual(got, upTo(stored, from));
      t.deepEqual(errors, []);
      await feed.close();
    }),
    settings,
  );
});

test('a wake that falls into the last moment of a delivery is not lost', async (t) => {
  for (let ticks = 0; ticks < 30; ticks += 1) {
    const { storage, feed } = scene();
    const got: number[] = [];
    await feed.subscribe(({ sequence }) => void got.push(sequence), { after: 0 });
    await rest(feed);
    feed.wake();
    for (let tick = 0; tick < ticks; tick += 1) await undefined;
    void store(storage, 1).then(() => feed.wake());
    await rest(feed);
    t.deepEqual(got, [1], `${ticks} ticks`);
  }
});

test('the next event waits until the listener is done with the last; other listeners do not', async (t) => {
  const { storage, feed } = scene();
  const slow: number[] = [];
  const quick: number[] = [];
  let go = () => {};
  let busy = false;
  await feed.subscribe(
    async ({ sequence }) => {
      t.false(busy);
      busy = true;
      await new Promise<void>((resolve) => {
        go = resolve;
      });
      busy = false;
      slow.push(sequence);
    },
    { after: 0 },
  );
  await feed.subscribe(({ sequence }) => void quick.push(sequence), { after: 0 });
  await store(storage, 2);
  feed.wake();
  await new Promise((resolve) => setImmediate(resolve));
  t.deepEqual([slow, quick], [[], [1, 2]]);
  go();
  await new Promise((resolve) => setImmediate(resolve));
  t.deepEqual(slow, [1]);
  go();
  await feed.settled();
  t.deepEqual(slow, [1, 2]);
});

test('a listener that throws is reported, and given the same event again when it is woken', async (t) => {
  const { storage, feed, errors } = scene();
  const got: number[] = [];
  let failures = 2;
  await feed.subscribe(
    ({ sequence }) => {
      if (sequence === 2 && failures-- > 0) throw new Error('busy');
      got.push(sequence);
    },
    { after: 0 },
  );
  await store(storage, 3);
  for (const wanted of [[1], [1], [1, 2, 3]]) {
    feed.wake();
    await rest(feed);
    t.deepEqual(got, wanted);
  }
  t.is(errors.length, 2);
});

test('a listener resumes after its last event, and gets nothing after it is removed', async (t) => {
  const { storage, feed } = scene();
  await store(storage, 5);
  const got: number[] = [];
  const leave = await feed.subscribe(
    ({ sequence }) => {
      got.push(sequence);
      if (sequence === 4) leave();
    },
    { after: 2 },
  );
  await rest(feed);
  t.deepEqual(got, [3, 4]);
  await store(storage, 1);
  feed.wake();
  await rest(feed);
  t.deepEqual(got, [3, 4]);
});

test('without a number a listener starts with what comes next, however much is stored or forgotten', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.nat(400), fc.nat(400), async (count, forgotten) => {
      const { storage, feed } = scene();
      await store(storage, count);
      await feed.forget(Math.min(forgotten, count));
      t.deepEqual(
        (await feed.read(0, 1_000)).map(({ sequence }) => sequence),
        upTo(count, Math.min(forgotten, count)),
      );
      const got: number[] = [];
      await feed.subscribe(({ sequence }) => void got.push(sequence));
      await store(storage, 2);
      feed.wake();
      await feed.settled();
      t.deepEqual(got, [count + 1, count + 2]);
    }),
    settings,
  );
});

test('closing waits for the listener that is at work, and delivers nothing more', async (t) => {
  const { storage, feed } = scene();
  await store(storage, 3);
  const got: number[] = [];
  let go = () => {};
  await feed.subscribe(
    async ({ sequence }) => {
      await new Promise<void>((resolve) => {
        go = resolve;
      });
      got.push(sequence);
    },
    { after: 0 },
  );
  await new Promise((resolve) => setImmediate(resolve));
  const closing = feed.close();
  go();
  await closing;
  feed.wake();
  await rest(feed);
  t.deepEqual(got, [1]);
});

test('a storage that is away for a moment is reported, and events come once it is back', async (t) => {
  const { storage, feed, errors } = scene();
  const events = storage.events.bind(storage);
  const got: number[] = [];
  await feed.subscribe(({ sequence }) => void got.push(sequence), { after: 0 });
  await feed.settled();
  storage.events = async () => {
    throw new Error('away');
  };
  await store(storage, 1);
  feed.wake();
  await feed.settled();
  storage.events = events;
  feed.wake();
  await feed.settled();
  t.deepEqual(got, [1]);
  t.is(errors.length, 1);
});

test('a listener that wakes itself and then throws is not called for ever', async (t) => {
  const { storage, feed, errors } = scene();
  await feed.subscribe(
    () => {
      feed.wake();
      throw new Error('busy');
    },
    { after: 0 },
  );
  await store(storage, 1);
  feed.wake();
  await rest(feed);
  t.is(errors.length, 1);
});
