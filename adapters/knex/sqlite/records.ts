import { type EntityName, entities } from '../../../core/model/index.js';
import type { Insert, NewEvent, Reference, UniqueKey } from '../../../core/ports/index.js';
import { type Cells, cellsOf } from '../compile/cells.js';
import { Deltas } from '../compile/deltas.js';
import { physical, quoted, tableOf } from '../names.js';
import { type EntriesTable, entriesTablesOf, entryDigests } from '../schema/entries.js';
import { talliesOf } from '../schema/tallies.js';
import { violatedUnique } from './errors.js';
import type { Session } from './session.js';

/** Single records inside a transaction. Side tables follow along, and tallies when `count` is called at the end. */
export class Records {
  readonly #session: Session;
  readonly #prefix: string;
  readonly #deltas = new Deltas();

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
    const cells = cellsOf(entity);
    const into = `insert into ${this.#table(entity)} (${cells.names.map(quoted).join(', ')}) values `;
    const places = `(${cells.names.map(() => '?').join(', ')})`;
    for (const part of partsOf(rows)) {
      const values = part.flatMap((row) => cells.encode(row));
      await this.#session.run(into + part.map(() => places).join(', '), values);
    }
    for (const side of entriesTablesOf(entity)) for (const row of rows) await this.#addEntries(side, row);
    for (const row of rows) this.#deltas.add(entity, row, 1);
  }

  /** Writes the columns that differ, since each one that is named costs its indexes; false if the record is not at the version before. */
  async replace({ entity, row }: Insert): Promise<boolean> {
    const cells = cellsOf(entity);
    const before = await this.#cellsAt(entity, row.id, row.version - 1, cells);
    if (before === undefined) return false;
    const after = cells.encode(row);
    const changed = cells.names.map((_, place) => place).filter((place) => before[place] !== after[place]);
    const assignments = changed.map((place) => `${quoted(cells.names[place] ?? '')} = ?`).join(', ');
    const values = changed.map((place) => after[place]);
    await this.#session.run(`update ${this.#table(entity)} set ${assignments} where "id" = ?`, [...values, row.id]);
    const names = new Set(changed.map((place) => cells.names[place]));
    for (const side of entriesTablesOf(entity)) {
      if (![side.column, ...side.copied].some((column) => names.has(column))) continue;
      await this.#removeEntries(side, row.id);
      await this.#addEntries(side, row);
    }
    if ([...talliesOf(entity).values()].some(({ owner, column }) => names.has(owner) || names.has(column))) {
      this.#deltas.add(entity, Object.fromEntries(cells.names.map((name, place) => [name, before[place]])), -1);
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
    const counted = [...talliesOf(entity).values()].flatMap(({ owner, column }) => [owner, column]);
    const returned = [...new Set(['id', ...counted])].map(quoted).join(', ');
    const sql = `delete from ${this.#table(entity)} where "id" = ? and "version" = ? returning ${returned}`;
    const [removed] = await this.#session.all<Readonly<Record<string, unknown>>>(sql, [id, version]);
    if (removed === undefined) return false;
    this.#deltas.add(entity, removed, -1);
    for (const side of entriesTablesOf(entity)) await this.#removeEntries(side, id);
    return true;
  }

  async addEvents(events: readonly NewEvent[]): Promise<void> {
    if (events.length === 0) return;
    const table = quoted(physical(this.#prefix, 'events'));
    const sql = `insert into ${table} ("type", "organization_id", "at", "data") select ${listed(4)} from json_each(?)`;
    const list = events.map(({ type, organization_id, at, data }) => [type, organization_id, at, JSON.stringify(data)]);
    await this.#session.run(sql, [JSON.stringify(list)]);
  }

  /** Brings the tallies to what was done so far. There is one writer at a time, so one slot is enough. */
  async count(): Promise<void> {
    const { changes } = this.#deltas;
    if (changes.length === 0) return;
    const table = quoted(physical(this.#prefix, 'tallies'));
    const sql = `insert into ${table} ("owner", "tally", "value", "count", "slot") select ${listed(4)}, 0 from json_each(?) where true on conflict do update set "count" = "count" + excluded."count"`;
    const list = changes.map(({ owner, tally, value, count }) => [owner, tally, value, count]);
    await this.#session.run(sql, [JSON.stringify(list)]);
  }

  async #cellsAt(entity: EntityName, id: string, version: number, { names }: Cells): Promise<unknown[] | undefined> {
    const sql = `select json_array(${names.map(quoted).join(', ')}) as "json" from ${this.#table(entity)} where "id" = ? and "version" = ?`;
    const [found] = await this.#session.all<{ json: string }>(sql, [id, version]);
    return found === undefined ? undefined : JSON.parse(found.json);
  }

  async #addEntries({ name, column, copied }: EntriesTable, row: Readonly<Record<string, unknown>>): Promise<void> {
    const digests = entryDigests(row[column]);
    if (digests.length === 0) return;
    const columns = ['record_id', ...copied, 'digest'].map(quoted).join(', ');
    const places = ['record_id', ...copied].map(() => '?').join(', ');
    const sql = `insert into ${quoted(physical(this.#prefix, name))} (${columns}) select ${places}, "value" from json_each(?)`;
    const values = copied.map((name) => row[name]);
    await this.#session.run(sql, [row.id, ...values, JSON.stringify(digests)]);
  }

  async #removeEntries({ name }: EntriesTable, id: string): Promise<void> {
    await this.#session.run(`delete from ${quoted(physical(this.#prefix, name))} where "record_id" = ?`, [id]);
  }

  #table(entity: EntityName): string {
    return quoted(physical(this.#prefix, tableOf(entity)));
  }
}

/** The first cells of the lists that `json_each` goes through. */
const listed = (cells: number): string =>
  Array.from({ length: cells }, (_, place) => `json_extract("value", '$[${place}]')`).join(', ');

/** Cuts a list into parts of 16, 8, 4, 2 and 1, so that there are few different statements. */
function* partsOf<T>(list: readonly T[]): Generator<readonly T[]> {
  let at = 0;
  for (let size = 16; size >= 1; size /= 2) {
    for (; list.length - at >= size; at += size) yield list.slice(at, at + size);
  }
}

/** The unique key that an insertion into this entity's table violated. */
export function duplicateOf(entity: EntityName, error: unknown): UniqueKey | undefined {
  const columns = violatedUnique(error)
    ?.split(', ')
    .map((column) => column.slice(column.lastIndexOf('.') + 1))
    .join();
  const key = Object.entries(entities[entity].unique).find(([, named]) => named.join() === columns)?.[0];
  return key === undefined ? undefined : { entity, key };
}
