import { setImmediate as turn } from 'node:timers/promises';
import test from 'ava';
import fc from 'fast-check';
import { scaledRuns, seed } from '../../conformance/property-settings.js';
import { Coalescer } from './coalescer.js';

const settings = { seed, numRuns: scaledRuns(100) };

/** Kinds and numbers of the calls of each turn of the event loop. */
const questionsByTick = fc.array(fc.array(fc.record({ kind: fc.constantFrom('a', 'b'), number: fc.nat(9) })), {
  maxLength: 5,
});

test('batch: each call gets its own result, and each kind is sent once per turn of the event loop', async (t) => {
  t.log(`seed ${seed}`);
  await fc.assert(
    fc.asyncProperty(questionsByTick, async (asked) => {
      const coalescer = new Coalescer(false);
      const batches: string[] = [];
      const answersByTick = asked.map(async (questions) => {
        const answers = questions.map(({ kind, number }) =>
          coalescer.batch(kind, number, async (all: readonly number[]) => {
            batches.push(kind);
            return all.map((one) => `${kind}${one}`);
          }),
        );
        return Promise.all(answers);
      });
      // All of them were called in this turn.
      t.deepEqual(batches, []);
      t.deepEqual(
        await Promise.all(answersByTick),
        asked.map((questions) => questions.map(({ kind, number }) => `${kind}${number}`)),
      );
      t.deepEqual(batches.sort(), [...new Set(asked.flat().map(({ kind }) => kind))].sort());
    }),
    settings,
  );
});

test('dedupe: equal calls run once per turn of the event loop, and again in the next turn', async (t) => {
  const coalescer = new Coalescer(false);
  let asked = 0;
  const ask = () => coalescer.dedupe('how many', async () => ++asked);
  t.deepEqual(await Promise.all([ask(), ask(), ask()]), [1, 1, 1]);
  t.is(await ask(), 2);
  const inFlight = ask();
  await turn();
  t.deepEqual(await Promise.all([inFlight, ask()]), [3, 4], 'not even while the first answer is on its way');
});

test('serialize: calls during a batch are sent when it settles, also when it fails', async (t) => {
  const coalescer = new Coalescer(true);
  const finishBatch: (() => void)[] = [];
  const batches: (readonly number[])[] = [];
  const ask = (number: number) =>
    coalescer.batch('a', number, async (all: readonly number[]) => {
      batches.push([...all]);
      await new Promise<void>((resolve) => finishBatch.push(resolve));
      if (all.includes(3)) throw new Error('lost');
      return all;
    });
  const first = [ask(1), ask(2)];
  await turn();
  await turn();
  const second = [ask(3), ask(4)];
  await turn();
  await turn();
  t.deepEqual(batches, [[1, 2]]);
  const failedBatch = Promise.allSettled(second);
  finishBatch[0]?.();
  t.deepEqual(await Promise.all(first), [1, 2]);
  await turn();
  t.deepEqual(batches, [
    [1, 2],
    [3, 4],
  ]);
  const third = ask(5);
  finishBatch[1]?.();
  t.deepEqual(
    (await failedBatch).map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  await turn();
  finishBatch[2]?.();
  t.is(await third, 5);
});

test('a failed batch rejects all of its calls and no other call', async (t) => {
  const coalescer = new Coalescer(false);
  const fails = async () => {
    throw new Error('lost');
  };
  const answers = await Promise.allSettled([
    coalescer.batch('a', 1, fails),
    coalescer.batch('a', 2, fails),
    coalescer.batch('b', 3, async () => [3]),
  ]);
  t.deepEqual(
    answers.map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled'],
  );
  t.is(await coalescer.batch('a', 1, async ([one]: readonly number[]) => [one]), 1);
});
