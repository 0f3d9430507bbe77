import { declared, type QueryArgs, type QueryName, type QueryRow } from '../../core/model/index.js';
import type { Stamp, Storage } from '../../core/ports/index.js';
import { type Shape, shapeOf } from './compile/shape.js';
import { Gathering } from './gathering.js';

/** The reads of a storage, each of them a trip of its own. */
export interface Reads extends Pick<Storage, 'find' | 'load' | 'select' | 'count'> {
  /** How to find the stamps that many calls name at once; undefined if one may name several. */
  findEach(query: QueryName, shape: Shape): FindEach | undefined;
}

/** Finds what each of the calls names: the places of the calls that name something, with its stamp. */
type FindEach = (calls: readonly Readonly<Record<string, unknown>>[]) => Promise<readonly (readonly [number, Stamp])[]>;

/** The same reads, but what is asked at once makes as few trips as it can. `inTurn` is as in `Gathering`. */
export function gathered(
  reads: Reads,
  { inTurn }: { readonly inTurn: boolean },
): Pick<Storage, 'find' | 'load' | 'select' | 'count'> {
  const gathering = new Gathering(inTurn);
  /** Rows take longer than stamps: several trips for them may be under way. */
  const loading = new Gathering(false);
  const keyOf = (kind: string, query: QueryName, args: unknown) => `${kind} ${query} ${JSON.stringify(args)}`;

  return {
    async find(query, args, window) {
      const { offset, limit, countUpTo } = window;
      if (offset === 0 && limit > 0 && countUpTo === undefined) {
        const shape = shapeOf(declared(query), args);
        const each = shape.empty ? undefined : reads.findEach(query, shape);
        if (each !== undefined) {
          const stamp = await gathering.together(`each ${query} ${shape.key}`, args, async (calls) => {
            const found = new Map(await each(calls));
            return calls.map((_, place) => found.get(place));
          });
          return { stamps: stamp === undefined ? [] : [stamp], more: false };
        }
      }
      const key = keyOf(`find ${offset} ${limit} ${countUpTo}`, query, args);
      return gathering.once(key, () => reads.find(query, args, window));
    },

    load<Q extends QueryName>(query: Q, ids: readonly string[]): Promise<QueryRow<Q>[]> {
      if (ids.length === 0) return Promise.resolve([]);
      if (ids.length > few) return reads.load(query, ids);
      return loading.together(`load ${query}`, ids, async (questions: readonly (readonly string[])[]) => {
        const [only] = questions;
        if (questions.length === 1 && only !== undefined) return [await reads.load(query, only)];
        const rows = await reads.load(query, [...new Set(questions.flat())]);
        const byId = new Map(rows.map((row) => [row.id, row]));
        return questions.map((asked) => [...new Set(asked)].flatMap((id) => byId.get(id) ?? []));
      });
    },

    async select<Q extends QueryName>(query: Q, args: QueryArgs<Q>, limit: number): Promise<QueryRow<Q>[]> {
      return [...(await gathering.once(keyOf(`select ${limit}`, query, args), () => reads.select(query, args, limit)))];
    },

    count: (query, args, by) => gathering.once(keyOf(`count ${by}`, query, args), () => reads.count(query, args, by)),
  };
}

/** A load of more ids than this is worth a trip of its own: nobody should wait for the rows of somebody else's page. */
const few = 4;
