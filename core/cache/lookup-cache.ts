import { type EntityName, type QueryName, type QueryRow, queryDefinition, queryNames } from '../model/index.js';
import type { Batch, Clock, FoundPage, Storage, Window } from '../ports/index.js';
import { TtlCache } from './ttl-cache.js';

/** Queries whose rows are kept: tokens, slugs, users, who may edit a pipeline, and where its jobs wait. */
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

/**
 * A storage that keeps some answers for at most so many milliseconds: the rows of the queries above, counts, and how many
 * records a list has. What is committed through it shows at once; what another process commits, when the answer has had its
 * time. That nothing was found is not kept: a client that waits for a record to appear sees it when it does.
 */
export function withLookupCache(storage: Storage, clock: Clock, milliseconds: number): Storage {
  if (milliseconds === 0) return storage;
  const cache = new TtlCache(clock, milliseconds);
  return {
    capabilities: storage.capabilities,
    prepare: () => storage.prepare(),
    next: (sequence, above) => storage.next(sequence, above),
    events: (after, limit) => storage.events(after, limit),
    forgetEvents: (upTo) => storage.forgetEvents(upTo),
    close: () => storage.close(),

    /** Of a list only the total is kept; the page itself is always looked up. */
    async find(query, args, window) {
      if (window.countUpTo === undefined) return storage.find(query, args, window);
      const key = `total ${window.countUpTo}${keyOf(args)}`;
      const cached = cache.get(query, key) as Pick<FoundPage, 'total'> | undefined;
      if (cached !== undefined) {
        const { countUpTo, ...rest } = window;
        return withTotal(await storage.find(query, args, rest), cached.total, window);
      }
      const pending = cache.begin(countTags(query, args));
      const found = await storage.find(query, args, window);
      cache.keep(query, key, { total: found.total }, pending);
      return found;
    },

    async load<Q extends QueryName>(query: Q, ids: readonly string[]): Promise<QueryRow<Q>[]> {
      if (!cachedQueries.has(query)) return storage.load(query, ids);
      const rows: QueryRow<Q>[] = [];
      const missing: string[] = [];
      for (const id of new Set(ids)) {
        const row = cache.get(query, id);
        if (row === undefined) missing.push(id);
        else rows.push(row as QueryRow<Q>);
      }
      if (missing.length === 0) return rows;
      const pending = cache.begin(rowTags(query));
      const loaded = await storage.load(query, missing);
      for (const row of loaded) cache.keep(query, row.id, row, pending);
      return [...rows, ...loaded];
    },

    async select(query, args, limit) {
      if (!cachedQueries.has(query)) return storage.select(query, args, limit);
      const key = `${limit}${keyOf(args)}`;
      const cached = cache.get(query, key);
      if (cached !== undefined) return cached as never;
      const pending = cache.begin(rowTags(query));
      const rows = await storage.select(query, args, limit);
      if (rows.length > 0) cache.keep(query, key, rows, pending);
      return rows;
    },

    async count(query, args, by) {
      const key = `${by}${keyOf(args)}`;
      const cached = cache.get(query, key);
      if (cached !== undefined) return cached as never;
      const pending = cache.begin(countTags(query, args));
      const counts = await storage.count(query, args, by);
      cache.keep(query, key, counts, pending);
      return counts;
    },

    async commit(batch) {
      try {
        return await storage.commit(batch);
      } finally {
        // Also when it failed: the database may have carried it out before the connection broke.
        cache.invalidate(changedTags(batch));
      }
    },
  };
}

/** The arguments as text, different for different ones. Cheaper than JSON for the short strings that most of them are. */
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

/** Rows of cached queries change seldom: any change of their entity, or of one that they are shown with, concerns them. */
function rowTags(query: QueryName): string[] {
  const { entity, one = {}, many = {} } = queryDefinition(query);
  return [entity, ...Object.values(one).map(({ to }) => to), ...Object.values(many).map(({ from }) => from)];
}

/** Counts depend on what is below the same parent. A removal does not say below which one the record was. */
function countTags(query: QueryName, args: Readonly<Record<string, unknown>>): string[] {
  const { entity } = queryDefinition(query);
  const parent = parentColumn(query);
  if (parent === undefined) return [entity];
  return [removalTag(entity), ...[args[parent.name]].flat().map((value) => parentTag(entity, parent.column, value))];
}

const removalTag = (entity: EntityName): string => `-${entity}`;
const parentTag = (entity: EntityName, column: string, value: unknown): string => `${entity}.${column}=${value}`;

/**
 * The column that heads the scope of a query, and the name of its argument. In queries that are counted it names the parent,
 * which a record never changes.
 */
function parentColumn(query: QueryName): { readonly name: string; readonly column: string } | undefined {
  const [[name, filter] = []] = Object.entries(queryDefinition(query).scope);
  if (name === undefined || filter === undefined) return undefined;
  const column = 'eq' in filter ? filter.eq : 'anyOf' in filter ? filter.anyOf : undefined;
  return column === undefined ? undefined : { name, column };
}

const parentColumns = new Map<EntityName, Set<string>>();
for (const query of queryNames) {
  const { entity } = queryDefinition(query);
  const column = parentColumn(query)?.column;
  if (column !== undefined) parentColumns.set(entity, (parentColumns.get(entity) ?? new Set()).add(column));
}

/** The tags of every answer that the batch may have changed. */
function changedTags(batch: Batch): Set<string> {
  const tags = new Set<string>();
  for (const { entity, row } of [...batch.insert, ...batch.replace]) {
    tags.add(entity);
    for (const column of parentColumns.get(entity) ?? [])
      tags.add(parentTag(entity, column, row[column as keyof typeof row]));
  }
  for (const { entity } of batch.remove) tags.add(entity).add(removalTag(entity));
  for (const { entity } of batch.touch) tags.add(entity);
  return tags;
}
