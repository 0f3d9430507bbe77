import { type Column, type EntityName, entities } from '../../../core/model/index.js';
import type { NewEvent } from '../../../core/ports/index.js';
import { physical, quoted, tableOf } from '../names.js';
import { type EntriesTable, entriesTablesOf, entryDigests } from '../schema/entries.js';
import { columnsOf } from './columns.js';
import { castTypes } from './dialect.js';
import type { Statement } from './session.js';
import { encoded } from './values.js';

type AnyRow = Readonly<Record<string, unknown>> & { readonly id: string; readonly version: number };

/** A record that must be there, at a version if one is given; `place` is raised if it is not. */
export interface Held {
  readonly id: string;
  readonly version: number | null;
  readonly place: number;
}

/** Statements about several records of one entity, each in one statement whatever their number. Side tables follow along. */
export class Records {
  readonly #entity: EntityName;
  readonly #prefix: string;
  readonly #table: string;

  constructor(entity: EntityName, prefix: string) {
    this.#entity = entity;
    this.#prefix = prefix;
    this.#table = this.#named(tableOf(entity));
  }

  /** Locks the records until the transaction ends, always in the order of their ids, and raises the place of one that is not as expected. */
  hold(records: readonly Held[], mode: 'share' | 'no key update'): Statement {
    const text = `with held as materialized (select "id", "version" from ${this.#table} where "id" = any($1::uuid[]) order by "id" for ${mode}) ${raising} from unnest($1::uuid[], $2::bigint[], $3::bigint[]) as w("id", "version", "place") left join held h on h."id" = w."id" where h."version" is null or h."version" <> w."version"`;
    return {
      text,
      values: [
        records.map(({ id }) => encoded(id, 'id')),
        records.map(({ version }) => version),
        records.map(({ place }) => place),
      ],
    };
  }

  /** Raises the place of a record that is there. */
  absent(records: readonly Omit<Held, 'version'>[]): Statement {
    const text = `${raising} from unnest($1::uuid[], $2::bigint[]) as w("id", "place") join ${this.#table} t on t."id" = w."id"`;
    return { text, values: [records.map(({ id }) => id), records.map(({ place }) => place)] };
  }

  touch(ids: readonly string[]): Statement {
    return { text: `update ${this.#table} set "version" = "version" + 1 where "id" = any($1::uuid[])`, values: [ids] };
  }

  remove(ids: readonly string[]): Statement[] {
    return [
      ...entriesTablesOf(this.#entity).map(({ name }) => ({
        text: `delete from ${this.#named(name)} where "record_id" = any($1::uuid[])`,
        values: [ids],
      })),
      { text: `delete from ${this.#table} where "id" = any($1::uuid[])`, values: [ids] },
    ];
  }

  /** New records, as many with each statement as there are in one of few sizes, so that there are few different statements. */
  insert(rows: readonly AnyRow[]): Statement[] {
    const { list, encode, names } = columnsOf(this.#entity);
    return [
      ...partsOf(rows).map((part) => ({
        text: `insert into ${this.#table} (${list}) values ${placesFor(part.length, names.length)}`,
        values: part.flatMap((row) => encode(row)),
      })),
      ...entriesTablesOf(this.#entity).flatMap((side) => this.#addEntries(side, rows)),
    ];
  }

  /** Writes whole rows; indexes of columns whose value stays the same are left alone by PostgreSQL itself. */
  replace(rows: readonly AnyRow[]): Statement[] {
    const { names, encode } = columnsOf(this.#entity);
    return [
      ...partsOf(rows).map((part) => ({
        text: `update ${this.#table} t set ${assignments(names)} from (values ${this.#casts(part.length)}) as v(${names.map(quoted).join(', ')}) where t."id" = v."id"`,
        values: part.flatMap((row) => encode(row)),
      })),
      ...entriesTablesOf(this.#entity).flatMap((side) => [
        this.#removeEntriesBut(side, rows),
        ...this.#addEntries(side, rows),
      ]),
    ];
  }

  /** `($1::uuid, $2::bigint), ($3, $4)`: the first row tells the types. */
  #casts(rows: number): string {
    const { kinds } = columnsOf(this.#entity);
    const [first = '', ...rest] = rowsOfPlaces(rows, kinds.length);
    let place = 0;
    return [first.replace(/\$\d+/g, (given) => `${given}::${castTypes[kinds[place++] ?? 'text']}`), ...rest].join(', ');
  }

  #addEntries({ name, column, copied }: EntriesTable, rows: readonly AnyRow[]): Statement[] {
    const entries = entriesOf(rows, column);
    if (entries.length === 0) return [];
    const columns: Readonly<Record<string, Column>> = entities[this.#entity].columns;
    const kinds = ['id', 'text', ...copied.map((one) => columns[one]?.kind ?? 'text')] as const;
    const arrays = kinds.map((kind, place) => `$${place + 1}::${castTypes[kind]}[]`).join(', ');
    const named = ['record_id', 'digest', ...copied].map(quoted).join(', ');
    const side = this.#named(name);
    const changed = copied.map((one) => `e.${quoted(one)} is distinct from excluded.${quoted(one)}`).join(' or ');
    const text = `insert into ${side} as e (${named}) select * from unnest(${arrays}) on conflict ("record_id", "digest") do update set ${copied
      .map((one) => `${quoted(one)} = excluded.${quoted(one)}`)
      .join(', ')} where ${changed}`;
    return [
      {
        text,
        values: [
          entries.map(({ row }) => row.id),
          entries.map(({ digest }) => digest),
          ...copied.map((one, place) => entries.map(({ row }) => encoded(row[one], kinds[place + 2] ?? 'text'))),
        ],
      },
    ];
  }

  /** Removes the entries of records except those that they have now: most changes of a build leave its entries as they are. */
  #removeEntriesBut({ name, column }: EntriesTable, rows: readonly AnyRow[]): Statement {
    const entries = entriesOf(rows, column);
    const text = `delete from ${this.#named(name)} e where e."record_id" = any($1::uuid[]) and not exists (select 1 from unnest($2::uuid[], $3::text[]) as k("id", "digest") where k."id" = e."record_id" and k."digest" = e."digest")`;
    const kept = [entries.map(({ row }) => row.id), entries.map(({ digest }) => digest)];
    return { text, values: [rows.map(({ id }) => id), ...kept] };
  }

  #named(table: string): string {
    return quoted(physical(this.#prefix, table));
  }
}

/** Stores events; they are numbered later. */
export function addEvents(events: readonly NewEvent[], prefix: string): Statement[] {
  const table = quoted(physical(prefix, 'events'));
  return partsOf(events).map((part) => ({
    text: `insert into ${table} ("type", "organization_id", "at", "data") values ${placesFor(part.length, 4)}`,
    values: part.flatMap(({ type, organization_id, at, data }) => [
      type,
      organization_id,
      encoded(at, 'time'),
      JSON.stringify(data),
    ]),
  }));
}

/**
 * A check that fails aborts the transaction, so that the commit may be sent along with it. What is raised is the text of
 * a number that is none; it hangs on a row, or the planner would try it beforehand.
 */
const raising = `select cast('millrace ' || w."place"::text as integer)`;

const entriesOf = (rows: readonly AnyRow[], column: string) =>
  rows.flatMap((row) => entryDigests(row[column]).map((digest) => ({ row, digest })));

/** `"version" = v."version", …` for all columns but the id. */
const assignments = (names: readonly string[]): string =>
  names.flatMap((name) => (name === 'id' ? [] : [`${quoted(name)} = v.${quoted(name)}`])).join(', ');

/** Cuts a list into parts of few sizes, so that there are few different statements; a build and its jobs are one part each. */
function partsOf<T>(list: readonly T[]): (readonly T[])[] {
  const parts: (readonly T[])[] = [];
  let at = 0;
  for (const size of [16, 8, 5, 4, 3, 2, 1]) {
    for (; list.length - at >= size; at += size) parts.push(list.slice(at, at + size));
  }
  return parts;
}

/** `($1, $2), ($3, $4)` */
const placesFor = (rows: number, columns: number): string => rowsOfPlaces(rows, columns).join(', ');

function rowsOfPlaces(rows: number, columns: number): string[] {
  const row = (first: number) => `(${Array.from({ length: columns }, (_, place) => `$${first + place}`).join(', ')})`;
  return Array.from({ length: rows }, (_, place) => row(1 + place * columns));
}
