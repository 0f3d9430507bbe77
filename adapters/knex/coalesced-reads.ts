import { type QueryArgs, type QueryName, type QueryRow, queryDefinition } from '../../core/model/index.js';
import type { Stamp, Storage } from '../../core/ports/index.js';
import { Coalescer } from './coalescer.js';
import { type Shape, shapeOf } from './compile/query-shape.js';
import type { Tuning } from './tuning.js';

/** The reads of a storage, each a trip of its own. */
export interface UncoalescedReads extends Pick<Storage, 'find' | 'load' | 'select' | 'count'> {
  /** Finds the stamps of many calls with one statement; undefined if a call may match more than one record. */
  findByUniqueKeys(query: QueryName, shape: Shape): FindByUniqueKeys | undefined;
}

/** The indexes of the calls that match a record, each with the stamp of the record. */
type FindByUniqueKeys = (
  calls: readonly Readonly<Record<string, unknown>>[],
) => Promise<readonly (readonly [number, Stamp])[]>;

/** The same reads with fewer trips: calls of the same turn of the event loop are joined. `serialize` is that of `Coalescer`. */
export function coalesceReads(
  reads: UncoalescedReads,
  { coalesceReads: enabled }: Tuning,
  { serialize }: { readonly serialize: boolean },
): Pick<Storage, 'find' | 'load' | 'select' | 'count'> {
  if (!enabled) return reads;
  const coalescer = new Coalescer(serialize);
  /** Loading rows takes longer than finding stamps, so several batches may be in flight. */
  const loadCoalescer = new Coalescer(false);
  const keyOf = (kind: string, query: QueryName, args: unknown) => `${kind} ${query} ${JSON.stringify(args)}`;

  return {
    async find(query, args, window) {
      const { offset, limit, countUpTo } = window;
      if (offset === 0 && limit > 0 && countUpTo === undefined) {
        const shape = shapeOf(queryDefinition(query), args);
        const findByKeys = shape.empty ? undefined : reads.findByUniqueKeys(query, shape);
        if (findByKeys !== undefined) {
          const stamp = await coalescer.batch(`each ${query} ${shape.key}`, args, async (calls) => {
            const found = new Map(await findByKeys(calls));
            return calls.map((_, index) => found.get(index));
          });
          return { stamps: stamp === undefined ? [] : [stamp], more: false };
        }
      }
      const key = keyOf(`find ${offset} ${limit} ${countUpTo}`, query, args);
      return coalescer.dedupe(key, () => reads.find(query, args, window));
    },

    load<Q extends QueryName>(query: Q, ids: readonly string[]): Promise<QueryRow<Q>[]> {
      if (ids.length === 0) return Promise.resolve([]);
      if (ids.length > maxCoalescedIds) return reads.load(query, ids);
      return loadCoalescer.batch(`load ${query}`, ids, async (idLists: readonly (readonly string[])[]) => {
        const [only] = idLists;
        if (idLists.length === 1 && only !== undefined) return [await reads.load(query, only)];
        const rows = await reads.load(query, [...new Set(idLists.flat())]);
        const byId = new Map(rows.map((row) => [row.id, row]));
        return idLists.map((requestedIds) => [...new Set(requestedIds)].flatMap((id) => byId.get(id) ?? []));
      });
    },

    async select<Q extends QueryName>(query: Q, args: QueryArgs<Q>, limit: number): Promise<QueryRow<Q>[]> {
      return [
        ...(await coalescer.dedupe(keyOf(`select ${limit}`, query, args), () => reads.select(query, args, limit))),
      ];
    },

    count: (query, args, by) => coalescer.dedupe(keyOf(`count ${by}`, query, args), () => reads.count(query, args, by)),
  };
}

/** A load of more ids than this is a trip of its own: one caller should not wait for the rows of another caller's page. */
const maxCoalescedIds = 4;
