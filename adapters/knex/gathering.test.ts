import { setImmediate as turn } from 'node:timers/promises';
import test from 'ava';
import fc from 'fast-check';
import { runs, seed } from '../../conformance/settings.js';
import { Gathering } from './gathering.js';

const settings = { seed, numRuns: runs(100) };

/** Kinds and numbers that are asked for, turn by turn. */
const turns = fc.array(fc.array(fc.record({ kind: fc.constantFrom('a', 'b'), number: fc.nat(9) })), { maxLength: 5 });

test('each question gets its own answer, and each kind is asked once a turn', async (t) => {
  t.log(`seed ${seed}`);
  await fc.assert(
    fc.asyncProperty(turns, async (asked) => {
      const gathering = new Gathering(false);
      const trips: string[] = [];
      const told = asked.map(async (questions) => {
        const answers = questions.map(({ kind, number }) =>
          gathering.together(kind, number, async (all: readonly number[]) => {
            trips.push(kind);
            return all.map((one) => `${kind}${one}`);
          }),
        );
        return Promise.all(answers);
      });
      // All of them were asked in this turn.
      t.deepEqual(trips, []);
      t.deepEqual(
        await Promise.all(told),
        asked.map((questions) => questions.map(({ kind, number }) => `${kind}${number}`)),
      );
      t.deepEqual(trips.sort(), [...new Set(asked.flat().map(({ kind }) => kind))].sort());
    }),
    settings,
  );
});

test('the same question is asked once a turn, and anew in the next', async (t) => {
  const gathering = new Gathering(false);
  let asked = 0;
  const ask = () => gathering.once('how many', async () => ++asked);
  t.deepEqual(await Promise.all([ask(), ask(), ask()]), [1, 1, 1]);
  t.is(await ask(), 2);
  const early = ask();
  await turn();
  t.deepEqual(await Promise.all([early, ask()]), [3, 4], 'not even while the first answer is on its way');
});

test('in turn, what is asked meanwhile goes when the trip before it is back, even from a trip that failed', async (t) => {
  const gathering = new Gathering(true);
  const back: (() => void)[] = [];
  const trips: (readonly number[])[] = [];
  const ask = (number: number) =>
    gathering.together('a', number, async (all: readonly number[]) => {
      trips.push([...all]);
      await new Promise<void>((resolve) => back.push(resolve));
      if (all.includes(3)) throw new Error('lost');
      return all;
    });
  const first = [ask(1), ask(2)];
  await turn();
  await turn();
  const second = [ask(3), ask(4)];
  await turn();
  await turn();
  t.deepEqual(trips, [[1, 2]]);
  const lost = Promise.allSettled(second);
  back[0]?.();
  t.deepEqual(await Promise.all(first), [1, 2]);
  await turn();
  t.deepEqual(trips, [
    [1, 2],
    [3, 4],
  ]);
  const third = ask(5);
  back[1]?.();
  t.deepEqual(
    (await lost).map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  await turn();
  back[2]?.();
  t.is(await third, 5);
});

test('a trip that fails fails for all who were on it, and for nobody else', async (t) => {
  const gathering = new Gathering(false);
  const fails = async () => {
    throw new Error('lost');
  };
  const answers = await Promise.allSettled([
    gathering.together('a', 1, fails),
    gathering.together('a', 2, fails),
    gathering.together('b', 3, async () => [3]),
  ]);
  t.deepEqual(
    answers.map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled'],
  );
  t.is(await gathering.together('a', 1, async ([one]: readonly number[]) => [one]), 1);
});
