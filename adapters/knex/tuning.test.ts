import test from 'ava';
import { type KnexOptions, knexStorage } from './index.js';
import { resolveTuning } from './tuning.js';

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

test('options.mistakes-are-named', (t) => {
  const make = (options: unknown) => () => knexStorage(options as KnexOptions);
  const sqlite = { client: 'sqlite', filename: ':memory:' };
  const mistakes: readonly (readonly [unknown, string])[] = [
    [undefined, 'the options must be an object, not undefined'],
    [{ ...sqlite, fileName: 'a' }, 'unknown option "fileName"; did you mean "filename"?'],
    [{ ...sqlite, pool: {} }, 'unknown option "pool"'],
    [{ client: 'mysql' }, 'option "client" must be one of "sqlite", "postgres", not "mysql"'],
    [{ client: 'sqlite' }, 'option "filename" is missing; it must be a string that is not empty'],
    [
      { ...sqlite, tablePrefix: '1_' },
      'option "tablePrefix" must be 1 to 31 lower-case letters, digits and underscores that begin with no digit, not "1_"',
    ],
    [{ ...sqlite, tuning: { coalesce: true } }, 'unknown option "tuning.coalesce"'],
    [{ ...sqlite, tuning: { coalesceReads: 1 } }, 'option "tuning.coalesceReads" must be true or false, not 1'],
    [{ ...sqlite, tuning: { counterSlots: 0 } }, 'option "tuning.counterSlots" must be an integer, 1 or more, not 0'],
    [
      { client: 'postgres', connection: 'postgres://a', pool: { max: '4' } },
      'option "pool.max" must be an integer, 1 or more, not "4"',
    ],
    [
      { client: 'postgres', connection: 'postgres://a', replicas: 'postgres://b' },
      'option "replicas" must be a list, each entry a postgres:// address, or the settings of a client of pg, not "postgres://b"',
    ],
    [
      { knex: null },
      'option "knex" must be an instance of Knex or one of its transactions, with the client sqlite3 or pg, not null',
    ],
  ];
  for (const [options, message] of mistakes) {
    t.throws(make(options), {
      instanceOf: TypeError,
      message: new RegExp(`^knexStorage: ${message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`),
    });
  }
});
