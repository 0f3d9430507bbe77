import { type EntityName, entities } from '../../../core/model/index.js';
import type { Insert, NewEvent, Reference, UniqueKey } from '../../../core/ports/index.js';
import { CounterDeltas } from '../compile/counter-deltas.js';
import { type RowCodec, rowCodecOf } from '../compile/row-codec.js';
import { physicalName, quoteIdentifier, tableOf } from '../identifiers.js';
import { countersOf } from '../schema/counters.js';
import { type EntriesTable, entriesTablesOf, entryDigests } from '../schema/entries-tables.js';
import { violatedColumns } from './errors.js';
import type { Session } from './session.js';

/** Writes single records inside a transaction, with their entries. Callers write the counters with `updateCounters` at the end. */
export class RecordWriter {
  readonly #session: Session;
  readonly #prefix: string;
  readonly #deltas = new CounterDeltas();

  constructor(session: Session, prefix: string) {
    this.#session = session;
    this.#prefix = prefix;
  }

  /** The version the record is at; undefined if there is none. */
  async versionOf({ entity, id }: Reference): Promise<number | undefined> {
    const sql = `select "version" from ${this.#table(entity)} where "id" = ?`;
    const [found] = await this.#session.all<{ version: number }>(sql, [id]);
    return found?.version;
  }

  /** New records of one entity, a few of them with each statement. */
  async insert(entity: EntityName, rows: readonly Insert['row'][]): Promise<void> {
    const cells = rowCodecOf(entity);
    const into = `insert into ${this.#table(entity)} (${cells.names.map(quoteIdentifier).join(', ')}) values `;
    const placeholders = `(${cells.names.map(() => '?').join(', ')})`;
    for (const chunk of chunksOf(rows)) {
      const values = chunk.flatMap((row) => cells.encode(row));
      await this.#session.run(into + chunk.map(() => placeholders).join(', '), values);
    }
    for (const entriesTable of entriesTablesOf(entity))
      for (const row of rows) await this.#addEntries(entriesTable, row);
    for (const row of rows) this.#deltas.add(entity, row, 1);
  }

  /** Writes the columns that differ, since each one that is named costs its indexes; false if the record is not at the version before. */
  async replace({ entity, row }: Insert): Promise<boolean> {
    const cells = rowCodecOf(entity);
    const before = await this.#loadCells(entity, row.id, row.version - 1, cells);
    if (before === undefined) return false;
    const after = cells.encode(row);
    const changed = cells.names.map((_, index) => index).filter((index) => before[index] !== after[index]);
    const assignments = changed.map((index) => `${quoteIdentifier(cells.names[index] ?? '')} = ?`).join(', ');
    const values = changed.map((index) => after[index]);
    await this.#session.run(`update ${this.#table(entity)} set ${assignments} where "id" = ?`, [...values, row.id]);
    const names = new Set(changed.map((index) => cells.names[index]));
    for (const entriesTable of entriesTablesOf(entity)) {
      if (![entriesTable.column, ...entriesTable.copiedColumns].some((column) => names.has(column))) continue;
      await this.#removeEntries(entriesTable, row.id);
      await this.#addEntries(entriesTable, row);
    }
    if ([...countersOf(entity).values()].some(({ owner, column }) => names.has(owner) || names.has(column))) {
      this.#deltas.add(entity, Object.fromEntries(cells.names.map((name, index) => [name, before[index]])), -1);
      this.#deltas.add(entity, row, 1);
    }
    return true;
  }

  /** Raises the version; false if there is no such record. */
  async touch({ entity, id }: Reference): Promise<boolean> {
    const sql = `update ${this.#table(entity)} set "version" = "version" + 1 where "id" = ?`;
    return (await this.#session.run(sql, [id])) > 0;
  }

  /** False if the record is not at that version. */
  async remove({ entity, id }: Reference, version: number): Promise<boolean> {
    const counterColumns = [...countersOf(entity).values()].flatMap(({ owner, column }) => [owner, column]);
    const returned = [...new Set(['id', ...counterColumns])].map(quoteIdentifier).join(', ');
    const sql = `delete from ${this.#table(entity)} where "id" = ? and "version" = ? returning ${returned}`;
    const [removed] = await this.#session.all<Readonly<Record<string, unknown>>>(sql, [id, version]);
    if (removed === undefined) return false;
    this.#deltas.add(entity, removed, -1);
    for (const entriesTable of entriesTablesOf(entity)) await this.#removeEntries(entriesTable, id);
    return true;
  }

  async addEvents(events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    const table = quoteIdentifier(physicalName(this.#prefix, 'events'));
    const sql = `insert into ${table} ("type", "organization_id", "at", "data") select ${jsonListColumns(4)} from json_each(?)`;
    const list = events.map(({ type, organization_id, at: offset, data }) => [
      type,
      organization_id,
      offset,
      JSON.stringify(data),
    ]);
    await this.#session.run(sql, [JSON.stringify(list)]);
  }

  /** Applies the collected deltas to the counters. SQLite has one writer at a time, so one slot is enough. */
  async updateCounters(): Promise<void> {
    const { changes } = this.#deltas;
    if (changes.length === 0) return;
    const table = quoteIdentifier(physicalName(this.#prefix, 'tallies'));
    const sql = `insert into ${table} ("owner", "tally", "value", "count", "slot") select ${jsonListColumns(4)}, 0 from json_each(?) where true on conflict do update set "count" = "count" + excluded."count"`;
    const list = changes.map(({ owner, counter, value, count }) => [owner, counter, value, count]);
    await this.#session.run(sql, [JSON.stringify(list)]);
  }

  async #loadCells(
    entity: EntityName,
    id: string,
    version: number,
    { names }: RowCodec,
  ): Promise<unknown[] | undefined> {
    const sql = `select json_array(${names.map(quoteIdentifier).join(', ')}) as "json" from ${this.#table(entity)} where "id" = ? and "version" = ?`;
    const [found] = await this.#session.all<{ json: string }>(sql, [id, version]);
    return found === undefined ? undefined : JSON.parse(found.json);
  }

  async #addEntries(
    { name, column, copiedColumns }: EntriesTable,
    row: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const digests = entryDigests(row[column]);
    if (digests.length === 0) return;
    const columns = ['record_id', ...copiedColumns, 'digest'].map(quoteIdentifier).join(', ');
    const placeholders = ['record_id', ...copiedColumns].map(() => '?').join(', ');
    const sql = `insert into ${quoteIdentifier(physicalName(this.#prefix, name))} (${columns}) select ${placeholders}, "value" from json_each(?)`;
    const values = copiedColumns.map((name) => row[name]);
    await this.#session.run(sql, [row.id, ...values, JSON.stringify(digests)]);
  }

  async #removeEntries({ name }: EntriesTable, id: string): Promise<void> {
    await this.#session.run(`delete from ${quoteIdentifier(physicalName(this.#prefix, name))} where "record_id" = ?`, [
      id,
    ]);
  }

  #table(entity: EntityName): string {
    return quoteIdentifier(physicalName(this.#prefix, tableOf(entity)));
  }
}

/** The first cells of each list that `json_each` returns. */
const jsonListColumns = (cells: number): string =>
  Array.from({ length: cells }, (_, index) => `json_extract("value", '$[${index}]')`).join(', ');

/** Cuts a list into parts of 16, 8, 4, 2 and 1, so that there are few different statements. */
function* chunksOf<T>(list: readonly T[]): Generator<readonly T[]> {
  let offset = 0;
  for (let size = 16; size >= 1; size /= 2) {
    for (; list.length - offset >= size; offset += size) yield list.slice(offset, offset + size);
  }
}

/** The unique key that an insertion into this entity's table violated. */
export function duplicateOf(entity: EntityName, error: unknown): UniqueKey | undefined {
  const columns = violatedColumns(error)
    ?.split(', ')
    .map((column) => column.slice(column.lastIndexOf('.') + 1))
    .join();
  const key = Object.entries(entities[entity].unique).find(([, named]) => named.join() === columns)?.[0];
  return key === undefined ? undefined : { entity, key };
}
