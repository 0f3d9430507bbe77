import {
  type CountedQueryName,
  type CounterColumn,
  type EntityName,
  type QueryArgs,
  type QueryName,
  type QueryRow,
  queryDefinition,
  queryNames,
  type ScopeArgs,
} from '../model/index.js';
import type { Batch, Clock, FoundPage, Storage, Window } from '../ports/index.js';
import { type CacheNamespace, TtlCache } from './ttl-cache.js';

/**
 * What may be answered from memory for a moment: tokens, slugs, users, who may edit a pipeline, and where its jobs wait (who
 * makes a build expects cluster and queue as they were). Their scope begins with a column that no record ever changes, so a
 * change tells by its own columns which answers it concerns.
 */
const cachedQueries: ReadonlySet<QueryName> = new Set<QueryName>([
  'accessToken.byDigest',
  'cluster.byName',
  'organization.bySlug',
  'pipeline.bySlug',
  'queue.byKey',
  'user.byEmail',
  'teamMember.ofUser',
  'teamPipeline.ofTeams',
]);

type Reader = Pick<Storage, 'find' | 'load' | 'select' | 'count'>;

/**
 * A storage that keeps some answers for at most so many milliseconds: those to the queries above, and how many records a
 * list has. What is committed through it shows at once; what another process commits, when the answer has had its time.
 * That nothing was found is not kept: whoever waits for a record to appear should see it when it does.
 */
export function withLookupCache(storage: Storage, clock: Clock, milliseconds: number): Storage {
  const cache = new TtlCache(clock, milliseconds);
  const namespaces = namespacesOf(cache);
  return {
    capabilities: storage.capabilities,
    prepare: () => storage.prepare(),
    ...(milliseconds === 0 ? uncachedReads(storage) : cachedReads(storage, namespaces)),
    async commit(batch) {
      try {
        return await storage.commit(batch);
      } finally {
        // Also when it failed: nobody knows whether the database had heard it before the connection broke.
        for (const tag of tagsOf(batch)) cache.invalidate(tag);
      }
    },
    next: (sequence, above) => storage.next(sequence, above),
    events: (after, limit) => storage.events(after, limit),
    forgetEvents: (upTo) => storage.forgetEvents(upTo),
    close: () => storage.close(),
  };
}

/** Where the answers are kept; a shelf for each query, where one is asked often, since to put names together costs too. */
function namespacesOf(cache: TtlCache): Namespaces {
  const each = (kind: string) =>
    new Map([...cachedQueries].map((query) => [query, cache.namespace(`${kind} ${query}`)]));
  return {
    totals: cache.namespace('totals'),
    counts: cache.namespace('counts'),
    records: each('records'),
    selections: each('selections'),
  };
}

interface Namespaces {
  readonly totals: CacheNamespace;
  readonly counts: CacheNamespace;
  readonly records: ReadonlyMap<QueryName, CacheNamespace>;
  readonly selections: ReadonlyMap<QueryName, CacheNamespace>;
}

/** Reads of which nothing is kept. */
function uncachedReads(storage: Storage): Reader {
  return {
    find: (query, args, window) => storage.find(query, args, window),
    load: (query, ids) => storage.load(query, ids),
    select: (query, args, limit) => storage.select(query, args, limit),
    count: (query, args, by) => storage.count(query, args, by),
  };
}

/** Reads that are answered from what is kept where they can be. */
function cachedReads(storage: Storage, { totals, counts, records, selections }: Namespaces): Reader {
  return {
    /** Of a list the total is kept; the page itself is always looked up. */
    async find<Q extends QueryName>(query: Q, args: QueryArgs<Q>, window: Window): Promise<FoundPage> {
      if (window.countUpTo === undefined) return storage.find(query, args, window);
      const key = `${window.countUpTo} ${query} ${keyOf(args)}`;
      const total = totals.get(key)?.value as Pick<FoundPage, 'total'> | undefined;
      if (total) {
        const { countUpTo, ...rest } = window;
        return withTotal(await storage.find(query, args, rest), total.total, window);
      }
      const pending = totals.begin(key, [...scopeTags(query, args), removalTag(queryDefinition(query).entity)]);
      const found = await storage.find(query, args, window);
      pending.resolve({ total: found.total });
      return found;
    },
    async load<Q extends QueryName>(query: Q, ids: readonly string[]): Promise<QueryRow<Q>[]> {
      const namespace = records.get(query);
      if (namespace === undefined) return storage.load(query, ids);
      const rows: QueryRow<Q>[] = [];
      const missing: string[] = [];
      for (const id of new Set(ids)) {
        const row = namespace.get(id)?.value;
        if (row) rows.push(row as QueryRow<Q>);
        else missing.push(id);
      }
      if (missing.length === 0) return rows;
      const { entity } = queryDefinition(query);
      const pending = new Map(
        missing.map((id) => [id, namespace.begin(id, [`${entity}#${id}`, ...relatedTags(query)])]),
      );
      const loaded = await storage.load(query, missing);
      for (const row of loaded) pending.get(row.id)?.resolve(row);
      return [...rows, ...loaded];
    },
    async select<Q extends QueryName>(query: Q, args: QueryArgs<Q>, limit: number): Promise<QueryRow<Q>[]> {
      const namespace = selections.get(query);
      if (namespace === undefined) return storage.select(query, args, limit);
      const key = `${limit}${keyOf(args)}`;
      const selected = namespace.get(key)?.value;
      if (selected) return selected as QueryRow<Q>[];
      const { entity } = queryDefinition(query);
      const tags = [...scopeTags(query, args), removalTag(entity), touchTag(entity), ...relatedTags(query)];
      const pending = namespace.begin(key, tags);
      const rows = await storage.select(query, args, limit);
      if (rows.length > 0) pending.resolve(rows);
      return rows;
    },
    async count<Q extends CountedQueryName>(query: Q, args: ScopeArgs<Q>, by: CounterColumn<Q>) {
      const key = `${by} ${query} ${keyOf(args)}`;
      const counted = counts.get(key)?.value;
      if (counted) return counted as Readonly<Record<string, number>>;
      const pending = counts.begin(key, [...scopeTags(query, args), removalTag(queryDefinition(query).entity)]);
      const found = await storage.count(query, args, by);
      pending.resolve(found);
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
function withTotal(found: FoundPage, total: number | undefined, { offset, countUpTo = 0 }: Window): FoundPage {
  if (total === undefined) return found;
  const shown = found.stamps.length === 0 ? 0 : offset + found.stamps.length;
  const known = found.more ? Math.max(total, shown + 1) : found.stamps.length > 0 ? shown : total;
  return known > countUpTo ? found : { ...found, total: known };
}

/** The column that heads the scope of a query, with the values asked for. */
function scopeTags(query: QueryName, args: Readonly<Record<string, unknown>>): string[] {
  const leading = leadingColumn(query);
  if (leading === undefined) return [];
  return [args[leading.name]].flat().map((value) => `${queryDefinition(query).entity}.${leading.column}=${value}`);
}

function leadingColumn(query: QueryName): { readonly name: string; readonly column: string } | undefined {
  const [[name, filter] = []] = Object.entries(queryDefinition(query).scope);
  if (name === undefined || filter === undefined) return undefined;
  const column = 'eq' in filter ? filter.eq : 'anyOf' in filter ? filter.anyOf : undefined;
  return column === undefined ? undefined : { name, column };
}

/** Changes of related records are told by their entity alone. */
function relatedTags(query: QueryName): string[] {
  const { one = {}, many = {} } = queryDefinition(query);
  return [...Object.values(one).map(({ to }) => to), ...Object.values(many).map(({ from }) => from)];
}

const removalTag = (entity: EntityName): string => `-${entity}`;
/** How many records there are does not change when one is touched. */
const touchTag = (entity: EntityName): string => `~${entity}`;

/** The columns that head the scopes of the queries on an entity. */
const leadingColumns = new Map<EntityName, Set<string>>();
for (const query of queryNames) {
  const { entity } = queryDefinition(query);
  const column = leadingColumn(query)?.column;
  if (column !== undefined) leadingColumns.set(entity, (leadingColumns.get(entity) ?? new Set()).add(column));
}

/** Every subject of an answer that the batch may have changed. */
function tagsOf(batch: Batch): Set<string> {
  const tags = new Set<string>();
  for (const { entity, row } of [...batch.insert, ...batch.replace]) {
    tags.add(entity).add(`${entity}#${row.id}`);
    for (const column of leadingColumns.get(entity) ?? []) {
      tags.add(`${entity}.${column}=${(row as Readonly<Record<string, unknown>>)[column]}`);
    }
  }
  for (const { entity, id } of batch.remove) tags.add(entity).add(`${entity}#${id}`).add(removalTag(entity));
  for (const { entity, id } of batch.touch) tags.add(entity).add(`${entity}#${id}`).add(touchTag(entity));
  return tags;
}
