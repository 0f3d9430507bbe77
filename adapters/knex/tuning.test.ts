import test from 'ava';
import { type KnexOptions, knexStorage } from './index.js';
import { type KnexTuning, resolveTuning } from './tuning.js';

test('tuning.defaults-and-choices', (t) => {
  const { maxPipelined, ...others } = resolveTuning({ maxPipelined: 1, coalesceReads: undefined } as object);
  t.is(maxPipelined, 1);
  t.deepEqual(others, {
    coalesceReads: true,
    batchSequences: true,
    seekDeepPages: true,
    groupCommits: true,
    counterSlots: 12,
  });
});

test('tuning.mistakes-are-named', (t) => {
  const resolve = (tuning: object) => () => resolveTuning(tuning as KnexTuning);
  t.throws(resolve({ coalesce: true }), { instanceOf: TypeError, message: /^tuning\.coalesce is not an option/ });
  t.throws(resolve({ coalesceReads: 1 }), { instanceOf: TypeError, message: /coalesceReads must be true or false/ });
  t.throws(resolve({ counterSlots: 0 }), { instanceOf: TypeError, message: /counterSlots must be a whole number/ });
});

test('options.mistakes-are-named', (t) => {
  const make = (options: object) => () => knexStorage(options as KnexOptions);
  t.throws(make({ client: 'sqlite', filename: ':memory:', fileName: 'a' }), { message: /^fileName is not an option/ });
  t.throws(make({ client: 'sqlite', filename: ':memory:', pool: {} }), { message: /^pool is not an option/ });
  t.throws(make({ client: 'mysql' }), {
    instanceOf: TypeError,
    message: /client must be sqlite or postgres, not mysql/,
  });
  t.throws(make({ client: 'sqlite', filename: ':memory:', tuning: { no: 1 } }), { message: /^tuning\.no is not/ });
});
