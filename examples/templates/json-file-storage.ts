/**
 * A template for a storage: all records are in memory, and each change is written to one JSON file. It implements the whole port in
 * the simplest way and passes the whole suite. Copy it and replace `State` by your database step by step. The methods are in the
 * order in which they are easiest to implement.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { Batch, Committed, Reference, Storage, StoredEvent } from 'millrace';
import { StorageUnavailable } from 'millrace';
import type { Definition, Direction, EntityName, Filter, QueryName } from 'millrace/model';
import { entities, entityNames, queryDefinition } from 'millrace/model';

/** A row of any entity: two columns that every entity has, and its declared columns. */
type AnyRow = { readonly id: string; readonly version: number } & Readonly<Record<string, unknown>>;
type Arguments = Readonly<Record<string, unknown>>;
type Tables = Readonly<Record<EntityName, ReadonlyMap<string, AnyRow>>>;

const mapTables = <T>(of: (name: EntityName) => T) =>
  Object.fromEntries(entityNames.map((name) => [name, of(name)])) as Record<EntityName, T>;

/** All data at one point in time. A change creates a new state, so that a failed change has no effect. */
interface State {
  readonly tables: Tables;
  /** The last number by sequence. A Map, since a sequence may have the name `__proto__`. */
  readonly sequences: ReadonlyMap<string, number>;
  readonly events: readonly StoredEvent[];
  /** Separate from the events: the number of a forgotten event must not be used again. */
  readonly lastEvent: number;
}

/**
 * A storage in one file, for one process. Commits survive the process. Two processes with the same file would overwrite each other's
 * changes. Each commit writes the whole file.
 */
export function jsonFileStorage(filename: string): Storage {
  let state: State | undefined;
  let closed = false;

  /**
   * Every method runs its work through this function. The work is synchronous, so no other call runs in between: that is all the
   * isolation that the port requires. With a database, turn its errors into `StorageUnavailable` here.
   */
  async function atomically<T>(work: (state: State) => T): Promise<T> {
    if (state === undefined) throw new StorageUnavailable(closed ? 'The storage is closed' : 'prepare() comes first');
    return work(state);
  }

  /** Writes the file first, then memory, so that a reader sees only durable data. */
  function saveState(next: State): void {
    writeState(filename, next);
    state = next;
  }

  return {
    // The suite tests each capability that is true, and the opposite of each that is false.
    capabilities: { name: 'json-file', durable: true, shared: false },

    // 1. Open and close. `prepare` may be called again, also while another call is under way.
    async prepare() {
      if (closed) throw new StorageUnavailable('The storage is closed');
      state ??= readState(filename);
    },
    async close() {
      closed = true;
      state = undefined;
    },

    // 2. Change. All other cases need records.
    commit: (batch) => atomically((before) => commitBatch(batch, before, saveState)),

    // 3. Load rows by id, with their relations. Repeated ids are returned once, unknown ones not at all.
    load: (query, ids) =>
      atomically(({ tables }) => {
        const rows = [...new Set(ids)].map((id) => tables[queryDefinition(query).entity].get(id));
        return rows.filter((row) => row !== undefined).map((row) => withRelations(tables, query, row)) as never[];
      }),

    // 4. Find rows. `more` is for "next" links, `total` for "last" links; `total` is absent above `countUpTo`.
    find: (query, args, { offset, limit, countUpTo }) =>
      atomically(({ tables }) => {
        const rows = findRows(tables, query, args);
        const stamps = rows.slice(offset, offset + limit).map(({ id, version }) => ({ id, version }));
        const more = rows.length > offset + limit;
        if (countUpTo === undefined || rows.length > countUpTo) return { stamps, more };
        return { stamps, more, total: rows.length };
      }),
    select: (query, args, limit) =>
      atomically(({ tables }) => {
        const rows = findRows(tables, query, args).slice(0, limit);
        return rows.map((row) => withRelations(tables, query, row)) as never[];
      }),

    // 5. Count. This scans the rows; a database with many rows needs counters that `commit` updates.
    count: (query, args, by) =>
      atomically(({ tables }) => {
        const counts = new Map<string, number>();
        for (const row of findRows(tables, query, args)) {
          const value = row[by] as string;
          counts.set(value, (counts.get(value) ?? 0) + 1);
        }
        return Object.fromEntries(counts);
      }),

    // 6. Sequences. The number is saved before it is returned. If the process ends in between, there is a gap, which is allowed.
    next: (sequence, above = 0) =>
      atomically((before) => {
        const number = Math.max(before.sequences.get(sequence) ?? 0, above) + 1;
        saveState({ ...before, sequences: new Map(before.sequences).set(sequence, number) });
        return number;
      }),

    // 7. Events. Commits run one after the other here, so events become visible in the order of their numbers.
    events: (after, limit) =>
      atomically(({ events }) => events.filter(({ sequence }) => sequence > after).slice(0, limit)),
    forgetEvents: (upTo) =>
      atomically((before) => saveState({ ...before, events: before.events.filter(({ sequence }) => sequence > upTo) })),
  };
}

/** Applies a batch to copies of the tables, so that a rejected batch has no effect. */
function commitBatch(batch: Batch, before: State, saveState: (after: State) => void): Committed {
  const tables = mapTables((name) => new Map(before.tables[name]));
  const versionOf = ({ entity, id }: Reference) => tables[entity].get(id)?.version;
  const conflict = ({ entity, id }: Reference): Committed => ({ conflict: { entity, id } });

  // Expectations refer to the state before any change of this batch.
  for (const expected of batch.expect) {
    if ('none' in expected) {
      const { none, args } = expected;
      if (findRows(before.tables, none, args).length > 0) return { conflict: { none } };
    } else if (versionOf(expected) !== expected.version) return conflict(expected);
  }

  // In this order, so that an inserted record may take the unique key of a removed one.
  for (const removed of batch.remove) {
    if (versionOf(removed) !== removed.version) return conflict(removed);
    tables[removed.entity].delete(removed.id);
  }
  for (const { entity, row } of batch.replace) {
    if (versionOf({ entity, id: row.id }) !== row.version - 1) return conflict({ entity, id: row.id });
    tables[entity].set(row.id, frozenCopy(row));
  }
  for (const { entity, id } of batch.touch) {
    const row = tables[entity].get(id);
    if (row === undefined) return conflict({ entity, id });
    tables[entity].set(id, Object.freeze({ ...row, version: row.version + 1 }));
  }
  for (const { entity, row } of batch.insert) {
    if (versionOf({ entity, id: row.id }) !== undefined) return conflict({ entity, id: row.id });
    tables[entity].set(row.id, frozenCopy(row));
  }

  // After all changes, since two records of a batch may exchange their keys.
  for (const entity of new Set([...batch.replace, ...batch.insert].map((change) => change.entity))) {
    for (const [key, columns] of Object.entries(entities[entity].unique)) {
      if (hasDuplicates(tables[entity].values(), columns)) return { duplicate: { entity, key } };
    }
  }

  let { lastEvent } = before;
  const events = batch.events.map((event): StoredEvent => frozenCopy({ ...event, sequence: ++lastEvent }));
  saveState({ ...before, tables, events: [...before.events, ...events], lastEvent });
  return { done: true };
}

/** Whether two rows have the same values in these columns. Rows with a null among them are not compared. */
function hasDuplicates(rows: Iterable<AnyRow>, columns: readonly string[]): boolean {
  const values = [...rows].map((row) => columns.map((column) => row[column])).filter((key) => !key.includes(null));
  return new Set(values.map((key) => JSON.stringify(key))).size < values.length;
}

/** The rows that match a declared query, in its order. Filters without an argument do not apply. */
function findRows(tables: Tables, name: QueryName, args: Arguments): AnyRow[] {
  const query: Definition & { readonly entity: EntityName } = queryDefinition(name);
  const activeFilters = Object.entries({ ...query.scope, ...query.filters }).filter(
    ([filter]) => args[filter] !== undefined,
  );
  return [...tables[query.entity].values()]
    .filter((row) => activeFilters.every(([filter, condition]) => matchesFilter(row, condition, args[filter])))
    .sort((a, b) => compareRows(a, b, query.order));
}

/** All forms of filters. The set is closed: a new version of Millrace may add queries, but no form of filter. */
function matchesFilter(row: AnyRow, filter: Filter, argument: unknown): boolean {
  if ('eq' in filter) return row[filter.eq] === argument;
  if ('anyOf' in filter) return (argument as unknown[]).includes(row[filter.anyOf]);
  if ('gte' in filter) return row[filter.gte] !== null && compareValues(row[filter.gte], argument) >= 0;
  if ('lt' in filter) return row[filter.lt] !== null && compareValues(row[filter.lt], argument) < 0;
  if ('entries' in filter) {
    const entriesValue: unknown = row[filter.entries];
    const entries = new Map(
      entriesValue instanceof Object && !Array.isArray(entriesValue) ? Object.entries(entriesValue) : [],
    );
    return Object.entries(argument as Arguments).every(([key, text]) => entries.get(key) === text);
  }
  const texts = filter.contains.map((column): unknown => row[column]).filter((value) => typeof value === 'string');
  return texts.some((text) => lowerAscii(text).includes(lowerAscii(argument as string)));
}

/** Lower-cases ASCII letters only: all databases agree on those. */
const lowerAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

function compareRows(a: AnyRow, b: AnyRow, order: readonly (readonly [string, Direction])[]): number {
  for (const [column, direction] of order) {
    const difference = compareValues(a[column], b[column]);
    if (difference !== 0) return direction === 'asc' ? difference : -difference;
  }
  return 0;
}

/** Null comes first. Text is ordered by code point, like its UTF-8 bytes; JavaScript's `<` orders by UTF-16 code units. */
function compareValues(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  if (typeof a === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b as string));
  return Number(a) - Number(b);
}

/** Adds the relations that the query declares. With a database, load those of a whole page in one statement. */
function withRelations(tables: Tables, name: QueryName, row: AnyRow): AnyRow {
  const { one = {}, many = {} }: Definition = queryDefinition(name);
  const relations: Record<string, unknown> = {};
  for (const [relation, { to, by }] of Object.entries(one))
    relations[relation] = tables[to].get(row[by] as string) ?? null;
  for (const [relation, { from, by, on = 'id', order }] of Object.entries(many)) {
    const relatedRows = [...tables[from].values()].filter((other) => other[by] === row[on]);
    relations[relation] = relatedRows.sort((a, b) => compareRows(a, b, order));
  }
  return { ...row, ...relations };
}

/** A frozen copy, equal to what is read back from the file. Object keys keep their order. */
const frozenCopy = <T>(value: T): T => parseFrozen(JSON.stringify(value)) as T;
const parseFrozen = (text: string): unknown => JSON.parse(text, (_, value) => Object.freeze(value));

/** Reads the file; an empty state if it does not exist. */
function readState(filename: string): State {
  let text = '{"tables":{},"sequences":[],"events":[],"lastEvent":0}';
  try {
    text = readFileSync(filename, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw new StorageUnavailable('Cannot be read', { cause });
  }
  // biome-ignore lint/suspicious/noExplicitAny: the file has the format of `writeState`
  const { tables, sequences, ...rest } = parseFrozen(text) as any;
  const rowsByTable = (name: EntityName): AnyRow[] => tables[name] ?? [];
  const mapped = mapTables((name) => new Map(rowsByTable(name).map((row) => [row.id, row])));
  return { ...rest, tables: mapped, sequences: new Map(sequences) };
}

/** Replaces the file atomically by a rename: whenever the process ends, the old or the new file is complete. */
function writeState(filename: string, { tables, sequences, ...rest }: State): void {
  const rowsByTable = mapTables((name) => [...tables[name].values()]);
  try {
    const text = JSON.stringify({ tables: rowsByTable, sequences: [...sequences], ...rest });
    writeFileSync(`${filename}.new`, text, { flush: true });
    renameSync(`${filename}.new`, filename);
  } catch (cause) {
    throw new StorageUnavailable('Cannot be written', { cause });
  }
}
