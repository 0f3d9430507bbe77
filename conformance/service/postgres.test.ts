import test from 'ava';
import { knexStorage } from '../../adapters/knex/index.js';
import { type Database, freshDatabase } from '../../adapters/knex/postgres/testing/_database.test.js';
import { testAll } from '../bindings/ava.js';
import { secondOpinion } from './_second-opinion.test.js';
import { serviceCases } from './index.js';

const judge = secondOpinion();

let database: Database;
test.before(async () => {
  database = await freshDatabase();
});
test.after.always(() => database.drop());

/**
 * Making all tables anew takes longer than most cases. So the cases, which run one after the other, use the same ones: the
 * first storage of a case those of the first prefix, and so on, emptied before: row by row, which is quick while they are small.
 */
const emptying = new Map<string, string>();

async function emptied(prefix: string): Promise<void> {
  if (!emptying.has(prefix)) {
    const kept = `'${prefix}migrations', '${prefix}event_numbers'`;
    const found = await database.query(
      `select tablename from pg_tables where schemaname = 'public' and tablename like '${prefix}%' and tablename not in (${kept})`,
    );
    if (found.length === 0) return;
    emptying.set(prefix, found.map(({ tablename }) => `delete from "${tablename}"`).join('; '));
  }
  await database.query(emptying.get(prefix) ?? '');
}

testAll(test.serial, serviceCases, async () => {
  let opened = 0;
  return {
    harness: {
      judge,
      storage: async () => {
        const tablePrefix = `t${String.fromCharCode(97 + opened++)}_`;
        await emptied(tablePrefix);
        return knexStorage({ client: 'postgres', connection: database.url, tablePrefix, pool: { max: 4 } });
      },
    },
    close: async () => undefined,
  };
});
