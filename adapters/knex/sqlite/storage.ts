import { queryDefinition } from '../../../core/model/index.js';
import type { Storage, StoredEvent } from '../../../core/ports/index.js';
import { coalesceReads, type UncoalescedReads } from '../coalesced-reads.js';
import { deepOffset } from '../compile/counter-query.js';
import { shapeOf } from '../compile/query-shape.js';
import { physicalName, quoteIdentifier } from '../identifiers.js';
import type { ExternalKnexOptions, SqliteOptions } from '../options.js';
import { sequenceAllocator } from '../sequence-allocator.js';
import type { Tuning } from '../tuning.js';
import { commit } from './commit.js';
import { Connections } from './connections.js';
import { migrate } from './migrate.js';
import { parseRows } from './rows.js';
import { QueryStatements } from './statements.js';

export function sqliteStorage(options: SqliteOptions | ExternalKnexOptions, prefix: string, tuning: Tuning): Storage {
  const connections = new Connections(options, tuning);
  const statements = new QueryStatements(prefix);
  const events = quoteIdentifier(physicalName(prefix, 'events'));
  const sequences = quoteIdentifier(physicalName(prefix, 'sequences'));

  /** The one JSON text that a statement returns. */
  const queryJson = (sql: string, values: readonly unknown[]): Promise<string> =>
    connections.read(async (session) => {
      const [row] = await session.all<{ json: string }>(sql, values);
      return row?.json ?? '[]';
    });

  const uncoalescedReads: UncoalescedReads = {
    findByUniqueKeys: (name, shape) => {
      const lookup = statements.findByUniqueKeys(name, shape);
      if (lookup === undefined) return undefined;
      return async (calls) => {
        const found: [number, string, number][] = JSON.parse(await queryJson(lookup.text, lookup.bind(calls)));
        return found.map(([index, id, version]) => [index, { id, version }]);
      };
    },

    find: async (name, args, { offset, limit, countUpTo }) => {
      const shape = shapeOf(queryDefinition(name), args);
      if (shape.empty) return { stamps: [], more: false, ...(countUpTo !== undefined && { total: 0 }) };
      const { sql, bind } = statements.find(
        name,
        shape,
        countUpTo !== undefined,
        tuning.seekDeepPages && offset >= deepOffset,
      );
      const numbers = { limit: limit + 1, offset, count: (countUpTo ?? 0) + 1 };
      const [found, count] = JSON.parse(await queryJson(sql, bind({ args, numbers }))) as [
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
      return parseRows(queryDefinition(name), await queryJson(statements.load(name), [JSON.stringify(ids)])) as never[];
    },

    select: async (name, args, limit) => {
      const shape = shapeOf(queryDefinition(name), args);
      if (shape.empty || limit < 1) return [];
      const { sql, bind } = statements.select(name, shape);
      return parseRows(queryDefinition(name), await queryJson(sql, bind({ args, numbers: { limit } }))) as never[];
    },

    count: async (name, args, by) => {
      const shape = shapeOf(queryDefinition(name), args);
      if (shape.empty) return {};
      const { sql, bind } = statements.counts(name, shape, by);
      return Object.fromEntries(JSON.parse(await queryJson(sql, bind({ args, numbers: {} }))));
    },
  };

  return {
    capabilities: { name: 'sqlite', durable: connections.inFile, shared: connections.inFile },

    prepare: () => migrate(connections, prefix),

    ...coalesceReads(uncoalescedReads, tuning, { serialize: true }),

    commit: (batch) => commit(connections, statements, prefix, batch),

    next: sequenceAllocator(
      (sequence, count, above) =>
        connections.transaction(async (session) => {
          const sql = `insert into ${sequences} ("name", "value") values (?1, ?3 + ?2) on conflict ("name") do update set "value" = max("value", ?3) + ?2 returning "value"`;
          const [row] = await session.all<{ value: number }>(sql, [sequence, count, above]);
          return row?.value ?? 0;
        }),
      tuning,
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
