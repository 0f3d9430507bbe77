import { type QueryName, queryDefinition } from '../../../core/model/index.js';
import type { Stamp, Storage } from '../../../core/ports/index.js';
import { coalesceReads, type UncoalescedReads } from '../coalesced-reads.js';
import { deepOffset } from '../compile/counter-query.js';
import { shapeOf } from '../compile/query-shape.js';
import { physicalName, quoteIdentifier } from '../identifiers.js';
import type { ExternalKnexOptions, PostgresOptions } from '../options.js';
import { sequenceAllocator } from '../sequence-allocator.js';
import type { Tuning } from '../tuning.js';
import { BatchCommitter } from './batch-committer.js';
import { Connections } from './connections.js';
import { migrate } from './migrate.js';
import { Outbox } from './outbox.js';
import { type ReadConnection, Replicas } from './replicas.js';
import { parseRows } from './rows.js';
import type { Statement } from './session.js';
import { bindStatement, QueryStatements } from './statements.js';
import { UniqueKeys } from './unique-keys.js';
import { type CellText, isId } from './values.js';

export function postgresStorage(
  options: PostgresOptions | ExternalKnexOptions,
  prefix: string,
  tuning: Tuning,
): Storage {
  const connections = new Connections(options, tuning);
  const replicas = 'replicas' in options ? new Replicas(options, tuning, connections) : undefined;
  const readConnection: ReadConnection = replicas ?? connections;
  const statements = new QueryStatements(prefix);
  const committer = new BatchCommitter(connections, statements, prefix, new UniqueKeys(prefix));
  const outbox = new Outbox(connections, prefix);
  const sequences = quoteIdentifier(physicalName(prefix, 'sequences'));

  /** The rows that a statement returns. */
  const queryRows = async (name: QueryName, statement: Statement): Promise<never[]> => {
    const [answer] = await readConnection.pipelined([statement]);
    return parseRows(queryDefinition(name), answer ?? []) as never[];
  };

  const uncoalescedReads: UncoalescedReads = {
    findByUniqueKeys: (name, shape) => {
      const lookup = statements.findByUniqueKeys(name, shape);
      if (lookup === undefined) return undefined;
      return async (calls) => {
        const [found = []] = await readConnection.pipelined([{ text: lookup.text, values: lookup.bind(calls) }]);
        return found.map(([index, ...stamp]) => [Number(index), stampFrom(stamp)]);
      };
    },

    find: async (name, args, { offset, limit, countUpTo }) => {
      const shape = shapeOf(queryDefinition(name), args);
      if (shape.empty) return { stamps: [], more: false, ...(countUpTo !== undefined && { total: 0 }) };
      const finding =
        !tuning.seekDeepPages || offset < deepOffset ? statements.find(name, shape) : statements.findDeep(name, shape);
      const page = bindStatement(finding, { args, numbers: { limit: limit + 1, offset } });
      const counted = bindStatement(statements.count(name, shape), { args, numbers: { limit: (countUpTo ?? 0) + 1 } });
      const [found = [], counts] = await readConnection.pipelined(countUpTo === undefined ? [page] : [page, counted]);
      const stamps = found.slice(0, limit).map(stampFrom);
      const more = found.length > limit;
      const total = Number(counts?.[0]?.[0]);
      return countUpTo === undefined || total > countUpTo ? { stamps, more } : { stamps, more, total };
    },

    load: async (name, ids) => {
      const possible = [...new Set(ids)].filter(isId);
      if (possible.length === 0) return [];
      return queryRows(name, statements.load(name, possible));
    },

    select: async (name, args, limit) => {
      const shape = shapeOf(queryDefinition(name), args);
      if (shape.empty || limit < 1) return [];
      const statement = bindStatement(statements.select(name, shape), { args, numbers: { limit } });
      return queryRows(name, statement);
    },

    count: async (name, args, by) => {
      const shape = shapeOf(queryDefinition(name), args);
      if (shape.empty) return {};
      const [counts = []] = await readConnection.pipelined([
        bindStatement(statements.counts(name, shape, by), { args, numbers: {} }),
      ]);
      return Object.fromEntries(counts.map(([value, count]) => [value, Number(count)]));
    },
  };

  return {
    capabilities: { name: 'postgres', durable: true, shared: true },

    prepare: () => migrate(connections, prefix),

    // The server may be far away: no call waits until another one's trip is back.
    ...coalesceReads(uncoalescedReads, tuning, { serialize: false }),

    commit: (batch) => committer.commit(batch),

    // A statement by itself: it is committed before any batch that uses the number. It need not wait for the disk: a batch
    // that uses the number comes later in the same log, so a server that loses the number has lost the batch as well.
    next: sequenceAllocator(async (sequence, count, above) => {
      const text = `with unflushed as (select set_config('synchronous_commit', 'off', true)) insert into ${sequences} as s ("name", "value") select $1, $3::bigint + $2::bigint from unflushed on conflict ("name") do update set "value" = greatest(s."value", $3::bigint) + $2::bigint returning "value"`;
      const [row] = await connections.query({ text, values: [sequence, count, above] });
      return Number(row?.[0]);
    }, tuning),

    events: (after, limit) => outbox.read(after, limit),

    forgetEvents: (upTo) => outbox.forget(upTo),

    close: async () => {
      await Promise.all([connections.close(), replicas?.close()]);
    },
  };
}

const stampFrom = ([id, version]: readonly CellText[]): Stamp => ({ id: id ?? '', version: Number(version) });
