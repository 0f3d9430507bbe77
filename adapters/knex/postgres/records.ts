import { type Column, type ColumnKind, type EntityName, entities } from '../../../core/model/index.js';
import { physical, quoted, tableOf } from '../names.js';
import { type EntriesTable, entriesTablesOf, entryDigests } from '../schema/entries.js';
import { columnsOf } from './columns.js';
import { castTypes } from './dialect.js';
import { type Part, type Piece, partsOf } from './pieces.js';
import { encoded } from './values.js';

type AnyRow = Readonly<Record<string, unknown>> & { readonly id: string; readonly version: number };

/** A new row for a record, and what the record was if that is known. */
export interface Replaced {
  readonly row: AnyRow;
  readonly before?: AnyRow | undefined;
}

/** A record that must be there, at a version if one is given; `place` is raised if it is not. */
export interface Held {
  readonly id: string;
  readonly version: number | null;
  readonly place: number;
}

/**
 * What is done with several records of one entity, each of them in one piece whatever their number. The records go by the
 * name of `t`. Side tables are for whoever changes the records to change as well.
 */
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
  hold(records: readonly Held[], mode: 'share' | 'no key update'): Piece {
    return {
      key: `hold ${this.#entity} ${mode}`,
      values: [idsOf(records), records.map(({ version }) => version), records.map(({ place }) => place)],
      text: (first) =>
        `with held as materialized (select "id", "version" from ${this.#table} where "id" = any($${first}::uuid[]) order by "id" for ${mode}) ${raising} from unnest($${first}::uuid[], $${first + 1}::bigint[], $${first + 2}::bigint[]) as w("id", "version", "place") left join held h on h."id" = w."id" where h."version" is null or h."version" <> w."version"`,
    };
  }

  /** Locks the records against changes, in the order of their ids, and selects the ids of those that are at their version. */
  unchanged(records: readonly { readonly id: string; readonly version: number }[]): Piece {
    return {
      key: `unchanged ${this.#entity}`,
      values: [idsOf(records), records.map(({ version }) => version)],
      text: (first, when = 'true') =>
        `select t."id" from (select "id", "version" from ${this.#table} where "id" = any($${first}::uuid[]) and ${when} order by "id" for share) t join unnest($${first}::uuid[], $${first + 1}::bigint[]) as w("id", "version") on t."id" = w."id" and t."version" = w."version"`,
    };
  }

  /** Raises the place of a record that is there. */
  absent(records: readonly Omit<Held, 'version'>[]): Piece {
    return {
      key: `absent ${this.#entity}`,
      values: [idsOf(records), records.map(({ place }) => place)],
      text: (first) =>
        `${raising} from unnest($${first}::uuid[], $${first + 1}::bigint[]) as w("id", "place") join ${this.#table} t on t."id" = w."id"`,
    };
  }

  touch(records: readonly { readonly id: string }[]): Piece {
    return {
      key: `touch ${this.#entity}`,
      values: [idsOf(records)],
      text: (first, when = 'true') =>
        `update ${this.#table} t set "version" = "version" + 1 where t."id" = any($${first}::uuid[]) and ${when}`,
    };
  }

  /** Removes those of the records that are at their version. */
  remove(records: readonly { readonly id: string; readonly version: number }[]): Piece {
    return {
      key: `remove ${this.#entity}`,
      values: [idsOf(records), records.map(({ version }) => version)],
      text: (first, when = 'true') =>
        `delete from ${this.#table} t using unnest($${first}::uuid[], $${first + 1}::bigint[]) as v("id", "version") where t."id" = v."id" and t."version" = v."version" and ${when}`,
    };
  }

  insert(rows: readonly AnyRow[]): Piece[] {
    const { names } = columnsOf(this.#entity);
    return partsOf(rows).map((part) => ({
      key: `insert ${this.#entity} ${part.places}`,
      values: this.#encoded(part, names),
      text: (first, when = 'true') =>
        `insert into ${this.#table} as t (${names.map(quoted).join(', ')}) select * from ${this.#given(part, names, first)} where v."id" is not null and ${when}`,
    }));
  }

  /**
   * Writes the rows in the place of those at the version before, of each the columns in which one of them differs; indexes of
   * columns whose value stays the same are left alone by PostgreSQL itself.
   */
  replace(replaced: readonly Replaced[]): Piece[] {
    const names = this.#differing(replaced);
    return partsOf(replaced.map(({ row }) => row)).map((part) => ({
      key: `replace ${this.#entity} ${names.join('+')} ${part.places}`,
      values: this.#encoded(part, names),
      text: (first, when = 'true') =>
        `update ${this.#table} t set ${assignments(names)} from ${this.#given(part, names, first)} where t."id" = v."id" and t."version" = v."version" - 1 and ${when}`,
    }));
  }

  /** Makes the side tables have the entries of records that have changed. */
  replaceEntries(replaced: readonly Replaced[]): Piece[] {
    const changed = replaced.filter(({ row, before }) =>
      entriesTablesOf(this.#entity).some(({ column, copied }) => differs(row, before, [column, ...copied])),
    );
    const rows = changed.map(({ row }) => row);
    return changed.length === 0 ? [] : [...this.#removeEntriesBut(rows), ...this.addEntries(rows)];
  }

  /** Makes the side tables have the entries of records. Those that they have already are left alone. */
  addEntries(rows: readonly AnyRow[]): Piece[] {
    return entriesTablesOf(this.#entity).flatMap(({ name, column, copied }) => {
      const entries = entriesOf(rows, column);
      if (entries.length === 0) return [];
      const kinds = this.#kindsOf(copied);
      return {
        key: `add entries ${name}`,
        values: [
          idsOf(entries),
          entries.map(({ digest }) => digest),
          ...copied.map((one, at) => entries.map(({ row }) => encoded(row[one], kinds[at] ?? 'text'))),
        ],
        text: (first: number, when = 'true') => {
          const arrays = (['id', 'text', ...kinds] as const).map((kind, at) => `$${first + at}::${castTypes[kind]}[]`);
          const named = ['record_id', 'digest', ...copied].map(quoted).join(', ');
          const same = ['record_id', 'digest', ...copied].map((one) => `e.${quoted(one)} = n.${quoted(one)}`);
          const updated = copied.map((one) => `${quoted(one)} = excluded.${quoted(one)}`);
          const side = this.#named(name);
          return `insert into ${side} (${named}) select * from unnest(${arrays.join(', ')}) as n(${named}) where ${when} and not exists (select 1 from ${side} e where ${same.join(' and ')}) on conflict ("record_id", "digest") do update set ${updated.join(', ')}`;
        },
      };
    });
  }

  /** Removes the entries of records except those that they have now: most changes of a build leave its entries as they are. */
  #removeEntriesBut(rows: readonly AnyRow[]): Piece[] {
    return this.#sides(({ name, column }) => {
      const entries = entriesOf(rows, column);
      return {
        key: `keep entries ${name}`,
        values: [idsOf(rows), idsOf(entries), entries.map(({ digest }) => digest)],
        text: (first, when = 'true') =>
          `delete from ${this.#named(name)} e where e."record_id" = any($${first}::uuid[]) and ${when} and not exists (select 1 from unnest($${first + 1}::uuid[], $${first + 2}::text[]) as k("id", "digest") where k."id" = e."record_id" and k."digest" = e."digest")`,
      };
    });
  }

  /** Removes all entries of records. */
  removeEntries(records: readonly { readonly id: string }[]): Piece[] {
    return this.#sides(({ name }) => ({
      key: `remove entries ${name}`,
      values: [idsOf(records)],
      text: (first, when = 'true') =>
        `delete from ${this.#named(name)} e where e."record_id" = any($${first}::uuid[]) and ${when}`,
    }));
  }

  #sides(make: (side: EntriesTable) => Piece): Piece[] {
    return entriesTablesOf(this.#entity).map(make);
  }

  /** The columns that have to be written, and those by which the records are found. */
  #differing(replaced: readonly Replaced[]): readonly string[] {
    const { names } = columnsOf(this.#entity);
    return names.filter(
      (name) => name === 'id' || name === 'version' || replaced.some(({ row, before }) => differs(row, before, [name])),
    );
  }

  #encoded({ list, places }: Part<AnyRow>, names: readonly string[]): unknown[] {
    const kinds = this.#kindsOf(names);
    const values: unknown[] = [];
    for (const row of list) {
      for (let at = 0; at < names.length; at++) values.push(encoded(row[names[at] as string], kinds[at] ?? 'text'));
    }
    while (values.length < places * names.length) values.push(null);
    return values;
  }

  /** `(values ($1::uuid, $2::bigint), ($3, $4)) as v("id", "version")`: the first row tells the types. */
  #given({ places }: Part<AnyRow>, names: readonly string[], first: number): string {
    const casts = this.#kindsOf(names).map((kind) => `::${castTypes[kind]}`);
    const rows = Array.from({ length: places }, (_, row) => {
      const from = first + row * names.length;
      return `(${names.map((_, at) => `$${from + at}${row === 0 ? casts[at] : ''}`).join(', ')})`;
    });
    return `(values ${rows.join(', ')}) as v(${names.map(quoted).join(', ')})`;
  }

  #kindsOf(names: readonly string[]): ColumnKind[] {
    const columns: Readonly<Record<string, Column>> = entities[this.#entity].columns;
    return names.map((name) => columns[name]?.kind ?? 'text');
  }

  #named(table: string): string {
    return quoted(physical(this.#prefix, table));
  }
}

/**
 * A check that fails aborts the transaction, so that the commit may be sent along with it. What is raised is the text of
 * a number that is none; it hangs on a row, or the planner would try it beforehand.
 */
const raising = `select cast('millrace ' || w."place"::text as integer)`;

/** Whether a row may have another value in one of these columns than it had. */
const differs = (row: AnyRow, before: AnyRow | undefined, names: readonly string[]): boolean =>
  before === undefined || names.some((name) => row[name] !== before[name]);

const idsOf = (records: readonly { readonly id: string }[]): unknown[] => records.map(({ id }) => encoded(id, 'id'));

const entriesOf = (rows: readonly AnyRow[], column: string) =>
  rows.flatMap((row) => entryDigests(row[column]).map((digest) => ({ id: row.id, row, digest })));

/** `"version" = v."version", …` for all columns but the id. */
const assignments = (names: readonly string[]): string =>
  names.flatMap((name) => (name === 'id' ? [] : [`${quoted(name)} = v.${quoted(name)}`])).join(', ');
