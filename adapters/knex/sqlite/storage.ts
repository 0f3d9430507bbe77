import { declared } from '../../../core/model/index.js';
import type { Storage, StoredEvent } from '../../../core/ports/index.js';
import { shapeOf } from '../compile/shape.js';
import { deep } from '../compile/tallying.js';
import { gathered, type Reads } from '../gathered.js';
import { physical, quoted } from '../names.js';
import { numbering } from '../numbering.js';
import type { LentOptions, SqliteOptions } from '../options.js';
import { commit } from './commit.js';
import { Connections } from './connections.js';
import { migrate } from './migrate.js';
import { rowsFrom } from './rows.js';
import { Statements } from './statements.js';

export function sqliteStorage(options: SqliteOptions | LentOptions, prefix: string): Storage {
  const connections = new Connections(options);
  const statements = new Statements(prefix);
  const events = quoted(physical(prefix, 'events'));
  const sequences = quoted(physical(prefix, 'sequences'));

  /** The one JSON text that a statement answers. */
  const json = (sql: string, values: readonly unknown[]): Promise<string> =>
    connections.read(async (session) => {
      const [row] = await session.all<{ json: string }>(sql, values);
      return row?.json ?? '[]';
    });

  const ungathered: Reads = {
    findEach: (name, shape) => {
      const each = statements.findEach(name, shape);
      if (each === undefined) return undefined;
      return async (calls) => {
        const found: [number, string, number][] = JSON.parse(await json(each.text, each.bind(calls)));
        return found.map(([place, id, version]) => [place, { id, version }]);
      };
    },

    find: async (name, args, { offset, limit, countUpTo }) => {
      const shape = shapeOf(declared(name), args);
      if (shape.empty) return { stamps: [], more: false, ...(countUpTo !== undefined && { total: 0 }) };
      const { sql, bind } = statements.find(name, shape, countUpTo !== undefined, offset >= deep);
      const numbers = { limit: limit + 1, offset, count: (countUpTo ?? 0) + 1 };
      const [found, count] = JSON.parse(await json(sql, bind({ args, numbers }))) as [
        [string, number][],
        number | null,
      ];
      const stamps = found.slice(0, limit).map(([id, version]) => ({ id, version }));
      const more = found.length > limit;
      if (countUpTo === undefined || count === null || count > countUpTo) return { stamps, more };
      return { stamps, more, total: count };
    },

    load: async (name, ids) => {
      if (ids.length === 0) return [];
      return rowsFrom(declared(name), await json(statements.load(name), [JSON.stringify(ids)])) as never[];
    },

    select: async (name, args, limit) => {
      const shape = shapeOf(declared(name), args);
      if (shape.empty || limit < 1) return [];
      const { sql, bind } = statements.select(name, shape);
      return rowsFrom(declared(name), await json(sql, bind({ args, numbers: { limit } }))) as never[];
    },

    count: async (name, args, by) => {
      const shape = shapeOf(declared(name), args);
      if (shape.empty) return {};
      const { sql, bind } = statements.counts(name, shape, by);
      return Object.fromEntries(JSON.parse(await json(sql, bind({ args, numbers: {} }))));
    },
  };

  return {
    claims: { name: 'sqlite', durable: connections.inFile, shared: connections.inFile },

    prepare: () => migrate(connections, prefix),

    ...gathered(ungathered, { inTurn: true }),

    commit: (batch) => commit(connections, statements, prefix, batch),

    next: numbering((sequence, count, above) =>
      connections.transaction(async (session) => {
        const sql = `insert into ${sequences} ("name", "value") values (?1, ?3 + ?2) on conflict ("name") do update set "value" = max("value", ?3) + ?2 returning "value"`;
        const [row] = await session.all<{ value: number }>(sql, [sequence, count, above]);
        return row?.value ?? 0;
      }),
    ),

    events: (after, limit) =>
      connections.read(async (session) => {
        const sql = `select * from ${events} where "sequence" > ? order by "sequence" limit ?`;
        const rows = await session.all<StoredEvent & { data: string }>(sql, [after, limit]);
        return rows.map(({ sequence, type, organization_id, at, data }) => ({
          sequence,
          type,
          organization_id,
          at,
          data: JSON.parse(data),
        }));
      }),

    forgetEvents: (upTo) =>
      connections.transaction(async (session) => {
        await session.run(`delete from ${events} where "sequence" <= ?`, [upTo]);
      }),

    close: () => connections.close(),
  };
}
