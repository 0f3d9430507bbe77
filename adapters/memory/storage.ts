import { type EntityName, entities, entityNames, type QueryName, queryNames } from '../../core/model/index.js';
import { type Storage, StorageUnavailable, type StoredEvent } from '../../core/ports/index.js';
import { commit } from './commit.js';
import { PreparedQuery } from './prepared-query.js';
import { deepFreeze, type StoredRow } from './record.js';
import { type RelationLoader, relationLoader } from './relations.js';
import { Table } from './table.js';

/**
 * The reference storage: all records are in the memory of this process and are lost when it ends. For tests, for the in-process
 * fake, and as a readable implementation of the storage port. Rows are frozen on commit and returned without a copy.
 */
export function memoryStorage(): Storage & AsyncDisposable {
  const tables = Object.fromEntries(entityNames.map((name) => [name, new Table(entities[name])])) as Readonly<
    Record<EntityName, Table>
  >;
  const plans = new Map<QueryName, { access: PreparedQuery; relate: RelationLoader }>(
    queryNames.map((name) => [name, { access: new PreparedQuery(name, tables), relate: relationLoader(name, tables) }]),
  );
  const sequences = new Map<string, number>();
  let events: StoredEvent[] = [];
  let lastEvent = 0;
  let open = true;

  /** Runs synchronous work as one step. Nothing else runs in between, which is all the isolation that the port requires. */
  const atomically = async <T>(work: () => T): Promise<T> => {
    if (!open) throw new StorageUnavailable('The memory storage is closed');
    return work();
  };

  const planOf = (name: QueryName) => {
    const found = plans.get(name);
    if (found === undefined) throw new TypeError(`Unknown query ${name}`);
    return found;
  };

  const close = async (): Promise<void> => {
    open = false;
  };

  return {
    capabilities: { name: 'memory', durable: false, shared: false },

    prepare: () => atomically(() => undefined),

    find: (query, args, { offset, limit, countUpTo }) =>
      atomically(() => {
        const { access } = planOf(query);
        const stamps: { id: string; version: number }[] = [];
        let more = false;
        for (const { id, version } of access.rows(args, offset)) {
          more = stamps.length === limit;
          if (more) break;
          stamps.push({ id, version });
        }
        if (countUpTo === undefined) return { stamps, more };
        const total = access.count(args, countUpTo + 1);
        return total > countUpTo ? { stamps, more } : { stamps, more, total };
      }),

    load: (query, ids) =>
      atomically(() => {
        const { access, relate } = planOf(query);
        const rows: StoredRow[] = [];
        for (const id of new Set(ids)) {
          const row = access.table.get(id);
          if (row !== undefined) rows.push(relate(row));
        }
        return rows as never[];
      }),

    select: (query, args, limit) =>
      atomically(() => {
        const { access, relate } = planOf(query);
        const rows: StoredRow[] = [];
        if (limit < 1) return rows as never[];
        for (const row of access.rows(args)) {
          rows.push(relate(row));
          if (rows.length >= limit) break;
        }
        return rows as never[];
      }),

    count: (query, args, by) => atomically(() => planOf(query).access.counts(args, by)),

    commit: (batch) =>
      atomically(() => {
        const outcome = commit({ tables, access: (query) => planOf(query).access }, batch);
        if ('done' in outcome) {
          for (const event of batch.events) events.push(deepFreeze({ ...event, sequence: ++lastEvent }));
        }
        return outcome;
      }),

    next: (sequence, above = 0) =>
      atomically(() => {
        const number = Math.max(sequences.get(sequence) ?? 0, above) + 1;
        sequences.set(sequence, number);
        return number;
      }),

    events: (after, limit) =>
      atomically(() => {
        // Sequence numbers have no gaps here, so the position of an event follows from its number.
        const first = events[0]?.sequence ?? 1;
        const start = Math.max(0, after + 1 - first);
        return events.slice(start, start + limit);
      }),

    forgetEvents: (upTo) =>
      atomically(() => {
        events = events.filter(({ sequence }) => sequence > upTo);
      }),

    close,
    [Symbol.asyncDispose]: close,
  };
}
