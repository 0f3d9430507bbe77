import {
  declared,
  type EntityName,
  type QueryArgs,
  type QueryName,
  type QueryRow,
  queryNames,
  type ScopeArgs,
  type TalliedName,
  type TallyColumn,
} from '../model/index.js';
import type { Batch, Clock, Found, Storage, Window } from '../ports/index.js';
import { type Shelf, Shortly } from './shortly.js';

/**
 * What may be answered from memory for a moment: tokens, slugs, users, who may edit a pipeline, and where its jobs wait (who
 * makes a build expects cluster and queue as they were). Their scope begins with a column that no record ever changes, so a
 * change tells by its own columns which answers it concerns.
 */
const keptQueries: ReadonlySet<QueryName> = new Set<QueryName>([
  'accessToken.byDigest',
  'cluster.byName',
  'organization.bySlug',
  'pipeline.bySlug',
  'queue.byKey',
  'user.byEmail',
  'teamMember.ofUser',
  'teamPipeline.ofTeams',
]);

type Reads = Pick<Storage, 'find' | 'load' | 'select' | 'count'>;

/**
 * A storage that keeps some answers for at most so many milliseconds: those to the queries above, and how many records a
 * list has. What is committed through it shows at once; what another process commits, when the answer has had its time.
 * That nothing was found is not kept: whoever waits for a record to appear should see it when it does.
 */
export function keepLookups(storage: Storage, clock: Clock, milliseconds: number): Storage {
  const kept = new Shortly(clock, milliseconds);
  const shelves = shelvesOf(kept);
  return {
    claims: storage.claims,
    prepare: () => storage.prepare(),
    ...(milliseconds === 0 ? plainReads(storage) : keptReads(storage, shelves)),
    async commit(batch) {
      try {
        return await storage.commit(batch);
      } finally {
        // Also when it failed: nobody knows whether the database had heard it before the connection broke.
        for (const subject of subjectsOf(batch)) kept.drop(subject);
      }
    },
    next: (sequence, above) => storage.next(sequence, above),
    events: (after, limit) => storage.events(after, limit),
    forgetEvents: (upTo) => storage.forgetEvents(upTo),
    close: () => storage.close(),
  };
}

/** Where the answers are kept; a shelf for each query, where one is asked often, since to put names together costs too. */
function shelvesOf(kept: Shortly): Shelves {
  const each = (kind: string) => new Map([...keptQueries].map((query) => [query, kept.shelf(`${kind} ${query}`)]));
  return {
    totals: kept.shelf('totals'),
    counts: kept.shelf('counts'),
    records: each('records'),
    selections: each('selections'),
  };
}

interface Shelves {
  readonly totals: Shelf;
  readonly counts: Shelf;
  readonly records: ReadonlyMap<QueryName, Shelf>;
  readonly selections: ReadonlyMap<QueryName, Shelf>;
}

/** Reads of which nothing is kept. */
function plainReads(storage: Storage): Reads {
  return {
    find: (query, args, window) => storage.find(query, args, window),
    load: (query, ids) => storage.load(query, ids),
    select: (query, args, limit) => storage.select(query, args, limit),
    count: (query, args, by) => storage.count(query, args, by),
  };
}

/** Reads that are answered from what is kept where they can be. */
function keptReads(storage: Storage, { totals, counts, records, selections }: Shelves): Reads {
  return {
    /** Of a list the total is kept; the page itself is always looked up. */
    async find<Q extends QueryName>(query: Q, args: QueryArgs<Q>, window: Window): Promise<Found> {
      if (window.countUpTo === undefined) return storage.find(query, args, window);
      const key = `${window.countUpTo} ${query} ${keyOf(args)}`;
      const total = totals.get(key)?.value as Pick<Found, 'total'> | undefined;
      if (total) {
        const { countUpTo, ...rest } = window;
        return withTotal(await storage.find(query, args, rest), total.total, window);
      }
      const note = totals.expect(key, [...scopeSubjects(query, args), removalOf(declared(query).entity)]);
      const found = await storage.find(query, args, window);
      note.keep({ total: found.total });
      return found;
    },
    async load<Q extends QueryName>(query: Q, ids: readonly string[]): Promise<QueryRow<Q>[]> {
      const shelf = records.get(query);
      if (shelf === undefined) return storage.load(query, ids);
      const rows: QueryRow<Q>[] = [];
      const missing: string[] = [];
      for (const id of new Set(ids)) {
        const row = shelf.get(id)?.value;
        if (row) rows.push(row as QueryRow<Q>);
        else missing.push(id);
      }
      if (missing.length === 0) return rows;
      const { entity } = declared(query);
      const notes = new Map(
        missing.map((id) => [id, shelf.expect(id, [`${entity}#${id}`, ...relatedSubjects(query)])]),
      );
      const loaded = await storage.load(query, missing);
      for (const row of loaded) notes.get(row.id)?.keep(row);
      return [...rows, ...loaded];
    },
    async select<Q extends QueryName>(query: Q, args: QueryArgs<Q>, limit: number): Promise<QueryRow<Q>[]> {
      const shelf = selections.get(query);
      if (shelf === undefined) return storage.select(query, args, limit);
      const key = `${limit}${keyOf(args)}`;
      const selected = shelf.get(key)?.value;
      if (selected) return selected as QueryRow<Q>[];
      const { entity } = declared(query);
      const subjects = [...scopeSubjects(query, args), removalOf(entity), touchOf(entity), ...relatedSubjects(query)];
      const note = shelf.expect(key, subjects);
      const rows = await storage.select(query, args, limit);
      if (rows.length > 0) note.keep(rows);
      return rows;
    },
    async count<Q extends TalliedName>(query: Q, args: ScopeArgs<Q>, by: TallyColumn<Q>) {
      const key = `${by} ${query} ${keyOf(args)}`;
      const counted = counts.get(key)?.value;
      if (counted) return counted as Readonly<Record<string, number>>;
      const note = counts.expect(key, [...scopeSubjects(query, args), removalOf(declared(query).entity)]);
      const found = await storage.count(query, args, by);
      note.keep(found);
      return found;
    },
  };
}

/** The arguments as text, unlike for unlike ones; cheaper than JSON for the short strings that most of them are. */
function keyOf(args: Readonly<Record<string, unknown>>): string {
  let key = '';
  for (const name in args) {
    const value = args[name];
    if (value === undefined) continue;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    key += ` ${name} ${typeof value === 'string' ? text.length : '='} ${text}`;
  }
  return key;
}

/** A total that is a moment old says no less than what the page itself shows. */
function withTotal(found: Found, total: number | undefined, { offset, countUpTo = 0 }: Window): Found {
  if (total === undefined) return found;
  const shown = found.stamps.length === 0 ? 0 : offset + found.stamps.length;
  const known = found.more ? Math.max(total, shown + 1) : found.stamps.length > 0 ? shown : total;
  return known > countUpTo ? found : { ...found, total: known };
}

/** The column that heads the scope of a query, with the values asked for. */
function scopeSubjects(query: QueryName, args: Readonly<Record<string, unknown>>): string[] {
  const head = headOf(query);
  if (head === undefined) return [];
  return [args[head.name]].flat().map((value) => `${declared(query).entity}.${head.column}=${value}`);
}

function headOf(query: QueryName): { readonly name: string; readonly column: string } | undefined {
  const [[name, filter] = []] = Object.entries(declared(query).scope);
  if (name === undefined || filter === undefined) return undefined;
  const column = 'eq' in filter ? filter.eq : 'anyOf' in filter ? filter.anyOf : undefined;
  return column === undefined ? undefined : { name, column };
}

/** Changes of related records are told by their entity alone. */
function relatedSubjects(query: QueryName): string[] {
  const { one = {}, many = {} } = declared(query);
  return [...Object.values(one).map(({ to }) => to), ...Object.values(many).map(({ from }) => from)];
}

const removalOf = (entity: EntityName): string => `-${entity}`;
/** How many records there are does not change when one is touched. */
const touchOf = (entity: EntityName): string => `~${entity}`;

/** The columns that head the scopes of the queries on an entity. */
const headColumns = new Map<EntityName, Set<string>>();
for (const query of queryNames) {
  const { entity } = declared(query);
  const column = headOf(query)?.column;
  if (column !== undefined) headColumns.set(entity, (headColumns.get(entity) ?? new Set()).add(column));
}

/** Every subject of an answer that the batch may have changed. */
function subjectsOf(batch: Batch): Set<string> {
  const subjects = new Set<string>();
  for (const { entity, row } of [...batch.insert, ...batch.replace]) {
    subjects.add(entity).add(`${entity}#${row.id}`);
    for (const column of headColumns.get(entity) ?? []) {
      subjects.add(`${entity}.${column}=${(row as Readonly<Record<string, unknown>>)[column]}`);
    }
  }
  for (const { entity, id } of batch.remove) subjects.add(entity).add(`${entity}#${id}`).add(removalOf(entity));
  for (const { entity, id } of batch.touch) subjects.add(entity).add(`${entity}#${id}`).add(touchOf(entity));
  return subjects;
}
