import test from 'ava';
import { testAll } from '../../conformance/bindings/ava.js';
import { storageCases } from '../../conformance/storage/index.js';
import type { Storage } from '../../core/ports/index.js';
import { type Database, freshDatabase } from '../../test/support/postgres/database.js';
import { knexStorage } from './index.js';

/** A real server. Each storage has tables of its own in one database, which is gone afterwards. */
let database: Database;
let made = 0;

test.before(async () => {
  database = await freshDatabase();
});
test.after.always(() => database?.drop());

for (const prepare of [true, false]) {
  const cases = storageCases.map((one) => ({ ...one, id: prepare ? one.id : `unprepared.${one.id}` }));
  // Without prepared statements only what is written is different, so a part of the cases says enough.
  testAll(
    test.serial,
    prepare ? cases : cases.filter(({ id }) => !/find|load|batches/.test(id)),
    async () => {
      const prefixes = new Map<Storage, string>();
      const opened = async (tablePrefix: string) => {
        const storage = knexStorage({
          client: 'postgres',
          connection: database.url,
          tablePrefix,
          prepare,
          pool: { max: 4 },
        });
        prefixes.set(storage, tablePrefix);
        await storage.prepare();
        return storage;
      };
      return {
        harness: {
          storage: () => opened(`t${++made}_`),
          reopen: (storage) => opened(prefixes.get(storage) ?? ''),
        },
        close: async () => {
          await Promise.all([...prefixes.keys()].map((storage) => storage.close()));
        },
      };
    },
    ['reopen'],
  );
}
