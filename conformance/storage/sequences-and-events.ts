import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import type { Storage } from '../../core/ports/index.js';
import { idOf } from '../arbitraries/ids.js';
import { batchOf, expectCommit } from './batch.js';
import { type StorageCase, storageCase } from './case.js';

const event = (type: string, data: Readonly<Record<string, unknown>> = {}) => ({
  type,
  organization_id: idOf(1),
  at: '2026-01-31T09:30:00.000Z',
  data,
});

const typesAfter = async (storage: Storage, after: number, limit = 100) =>
  (await storage.events(after, limit)).map(({ type }) => type);

/** Sequences and events: no number is ever used twice. */
export const sequenceAndEventCases: readonly StorageCase[] = [
  storageCase('next.counts-from-one', ['storage: next', 'spec 2.4'], async (harness) => {
    const storage = await harness.storage();
    for (const sequence of ['a', 'A', '', "it's", 'a ', '\u{1f600}', '__proto__']) {
      deepStrictEqual([await storage.next(sequence), await storage.next(sequence)], [1, 2]);
    }
  }),

  storageCase('next.never-twice', ['storage: next', 'spec 2.4', 'decisions 7'], async (harness) => {
    const storage = await harness.storage();
    const numbers = await Promise.all(Array.from({ length: 100 }, () => storage.next('builds')));
    strictEqual(new Set(numbers).size, 100);
    ok(numbers.every((number) => Number.isSafeInteger(number) && number > 0));
    ok((await storage.next('builds')) > Math.max(...numbers));
  }),

  storageCase('next.outside-batches', ['storage: next'], async (harness) => {
    const storage = await harness.storage();
    const [number] = await Promise.all([
      storage.next('builds'),
      storage.commit(batchOf({ touch: [{ entity: 'build', id: idOf(1) }] })),
    ]);
    ok((await storage.next('builds')) > number);
  }),

  storageCase('events.in-order', ['storage: events'], async (harness) => {
    const storage = await harness.storage();
    deepStrictEqual(await storage.events(0, 10), []);
    const data = { z: 1, a: [null, 0.1, '\u{1f600}', { b: true, A: '' }], '2': 'two' };
    await expectCommit(storage, { events: [event('first', data), event('second')] });
    await expectCommit(storage, { events: [event('third')] });
    const events = await storage.events(0, 10);
    deepStrictEqual(
      events.map(({ sequence: _, ...rest }) => rest),
      [event('first', data), event('second'), event('third')],
    );
    strictEqual(JSON.stringify(events[0]?.data), JSON.stringify(data));
    ok(events.every(({ sequence }, index) => sequence > (events[index - 1]?.sequence ?? 0)));
  }),

  storageCase('events.resume', ['storage: events'], async (harness) => {
    const storage = await harness.storage();
    for (let number = 1; number <= 9; number++) await expectCommit(storage, { events: [event(`e${number}`)] });
    const received: string[] = [];
    for (let after = 0; ; ) {
      const page = await storage.events(after, 4);
      if (page.length === 0) break;
      received.push(...page.map(({ type }) => type));
      after = page.at(-1)?.sequence ?? after;
    }
    deepStrictEqual(received, ['e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e7', 'e8', 'e9']);
  }),

  storageCase(
    'events.nothing-skipped',
    ['storage: events', 'house: numbered early, committed late'],
    async (harness) => {
      const storage = await harness.storage();
      const committing = Array.from({ length: 40 }, (_, index) =>
        expectCommit(storage, { events: [event(`e${index}`), event(`f${index}`)] }),
      );
      let running = true;
      const all = Promise.all(committing).finally(() => {
        running = false;
      });
      // The first failure is reported. Rejections of the other commits must not end the process.
      all.catch(() => {});
      const received: number[] = [];
      for (let last = false; !last; ) {
        last = !running;
        for (const { sequence } of await storage.events(received.at(-1) ?? 0, 7)) received.push(sequence);
        if (last && (await storage.events(received.at(-1) ?? 0, 1)).length > 0) last = false;
      }
      await all;
      deepStrictEqual(
        received,
        (await storage.events(0, 1000)).map(({ sequence }) => sequence),
      );
      strictEqual(received.length, 80);
    },
  ),

  storageCase('events.forget', ['storage: forgetEvents'], async (harness) => {
    const storage = await harness.storage();
    await expectCommit(storage, { events: [event('a'), event('b'), event('c')] });
    const [, second, third] = await storage.events(0, 10);
    await storage.forgetEvents(second?.sequence ?? 0);
    deepStrictEqual(await typesAfter(storage, 0), ['c']);
    await storage.forgetEvents(third?.sequence ?? 0);
    deepStrictEqual(await typesAfter(storage, 0), []);
    await expectCommit(storage, { events: [event('d')] });
    const [fourth] = await storage.events(third?.sequence ?? 0, 10);
    ok((fourth?.sequence ?? 0) > (third?.sequence ?? 0), 'a sequence number was reused');
    await storage.forgetEvents(0);
    deepStrictEqual(await typesAfter(storage, 0), ['d']);
  }),
];
