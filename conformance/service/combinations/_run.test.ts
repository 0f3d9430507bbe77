import { basename } from 'node:path';
import test from 'ava';
import { operations } from '../../../core/operations/index.js';
import { testAll } from '../../bindings/ava.js';
import { factor, seed, set } from '../../settings.js';
import { secondOpinion } from '../_second-opinion.test.js';
import { seen } from '../coverage.js';
import { casesFor, combinations } from './combination.js';
import type { Room } from './kept.js';

/** Makes tests of all cases of the combination that the file is named after. */
export function testCombination(url: string): void {
  const name = basename(url, '.test.js');
  const found = combinations.find((one) => one.name === name);
  if (found === undefined) throw new Error(`${name} is no combination`);
  const { store, way, share } = found;
  const { asked } = casesFor(way);
  // What a transport brings was judged in process already, where it is the same.
  const judge = way.wire === undefined ? { judge: secondOpinion() } : {};
  let room: Room;
  let opened = 0;

  test.before(async () => {
    set({ seed, runs: factor * share });
    room = await store.open();
  });

  testAll(
    test.serial,
    asked,
    async () => {
      opened += 1;
      const wire = way.wire === undefined ? {} : { wire: way.wire };
      return { harness: { storage: () => room.storage(), ...judge, ...wire }, close: async () => undefined };
    },
    way.claims,
  );

  test.after('every declared status was answered, every field of the specification seen', (t) => {
    // A run of some of the cases says nothing about what all of them cover.
    if (opened < asked.length) return;
    t.deepEqual(seen.gaps(operations), []);
    t.deepEqual(seen.unseen(), []);
  });

  test.after.always(() => room.close());
}
