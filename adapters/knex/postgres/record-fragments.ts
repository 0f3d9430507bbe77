import { type Column, type ColumnKind, type EntityName, entities } from '../../../core/model/index.js';
import { physicalName, quoteIdentifier, tableOf } from '../identifiers.js';
import { type EntriesTable, entriesTablesOf, entryDigests } from '../schema/entries-tables.js';
import { columnsOf } from './columns.js';
import { castTypes } from './dialect.js';
import type { SqlFragment } from './sql-fragments.js';
import { encodeValue } from './values.js';

type AnyRow = Readonly<Record<string, unknown>> & { readonly id: string; readonly version: number };

/** A new row for a record, and what the record was if that is known. */
export interface Replacement {
  readonly row: AnyRow;
  readonly before?: AnyRow | undefined;
}

/** A record that must be there, at a version unless that is null. */
export interface ExpectedRecord {
  readonly id: string;
  readonly version: number | null;
}

/**
 * What a commit does with several records of one entity, one fragment for each kind of change whatever the number of
 * records. Versions are checked by `lock` alone. A change of records does not change their side tables: callers add that.
 */
export class RecordFragments {
  readonly #entity: EntityName;
  readonly #prefix: string;
  readonly #table: string;

  constructor(entity: EntityName, prefix: string) {
    this.#entity = entity;
    this.#prefix = prefix;
    this.#table = this.#tableName(tableOf(entity));
  }

  /**
   * Locks the records until the transaction ends, always in the order of their ids, and selects the places in the list, from
   * 1, of those that are at the expected version; null stands for any. A record may be expected more than once.
   */
  lock(records: readonly ExpectedRecord[], mode: 'share' | 'no key update'): SqlFragment {
    return {
      key: `lock ${this.#entity} ${mode}`,
      values: [idsOf(records), records.map(({ version }) => version)],
      text: (firstParameter, condition) =>
        `select w."place" from (select "id", "version" from ${this.#table} where "id" = any($${firstParameter}::uuid[]) and ${condition} order by "id" for ${mode}) t join unnest($${firstParameter}::uuid[], $${firstParameter + 1}::bigint[]) with ordinality as w("id", "version", "place") on t."id" = w."id" and t."version" = coalesce(w."version", t."version")`,
    };
  }

  /** Selects those of the records that are there. */
  present(records: readonly { readonly id: string }[]): SqlFragment {
    return {
      key: `present ${this.#entity}`,
      values: [idsOf(records)],
      text: (firstParameter, condition) =>
        `select t."id" from ${this.#table} t where t."id" = any($${firstParameter}::uuid[]) and ${condition}`,
    };
  }

  touch(records: readonly { readonly id: string }[]): SqlFragment {
    return {
      key: `touch ${this.#entity}`,
      values: [idsOf(records)],
      text: (firstParameter, condition) =>
        `update ${this.#table} t set "version" = "version" + 1 where t."id" = any($${firstParameter}::uuid[]) and ${condition} returning t."id"`,
    };
  }

  remove(records: readonly { readonly id: string }[]): SqlFragment {
    return {
      key: `remove ${this.#entity}`,
      values: [idsOf(records)],
      text: (firstParameter, condition) =>
        `delete from ${this.#table} t where t."id" = any($${firstParameter}::uuid[]) and ${condition} returning t."id"`,
    };
  }

  insert(rows: readonly AnyRow[]): SqlFragment {
    const { names } = columnsOf(this.#entity);
    return {
      key: `insert ${this.#entity} ${paddedLength(rows.length)}`,
      values: this.#rowValues(rows, names),
      text: (firstParameter, condition) =>
        `insert into ${this.#table} as t (${names.map(quoteIdentifier).join(', ')}) select * from ${this.#rowsTable(rows.length, names, firstParameter)} where v."id" is not null and ${condition} returning t."id"`,
    };
  }

  /**
   * Writes the rows in the place of those at the version before, of each the columns in which one of them differs; indexes of
   * columns whose value stays the same are left alone by PostgreSQL itself.
   */
  replace(replaced: readonly Replacement[]): SqlFragment {
    const names = this.#changedColumns(replaced);
    const rows = replaced.map(({ row }) => row);
    return {
      key: `replace ${this.#entity} ${names.join('+')} ${paddedLength(rows.length)}`,
      values: this.#rowValues(rows, names),
      text: (firstParameter, condition) =>
        `update ${this.#table} t set ${assignments(names)} from ${this.#rowsTable(rows.length, names, firstParameter)} where t."id" = v."id" and ${condition} returning t."id"`,
    };
  }

  /** Makes the side tables have the entries of records that have changed. */
  replaceEntries(replaced: readonly Replacement[]): SqlFragment[] {
    const changed = replaced.filter(({ row, before }) =>
      entriesTablesOf(this.#entity).some(({ column, copiedColumns }) =>
        differs(row, before, [column, ...copiedColumns]),
      ),
    );
    const rows = changed.map(({ row }) => row);
    return changed.length === 0 ? [] : [...this.#removeStaleEntries(rows), ...this.addEntries(rows)];
  }

  /** Makes the side tables have the entries of records. Those that they have already are left alone. */
  addEntries(rows: readonly AnyRow[]): SqlFragment[] {
    return entriesTablesOf(this.#entity).flatMap(({ name, column, copiedColumns }) => {
      const entries = entriesOf(rows, column);
      if (entries.length === 0) return [];
      const kinds = this.#kindsOf(copiedColumns);
      return {
        key: `add entries ${name}`,
        values: [
          idsOf(entries),
          entries.map(({ digest }) => digest),
          ...copiedColumns.map((one, index) => entries.map(({ row }) => encodeValue(row[one], kinds[index] ?? 'text'))),
        ],
        text: (firstParameter: number, condition: string) => {
          const arrays = (['id', 'text', ...kinds] as const).map(
            (kind, index) => `$${firstParameter + index}::${castTypes[kind]}[]`,
          );
          const columnList = ['record_id', 'digest', ...copiedColumns].map(quoteIdentifier).join(', ');
          const same = ['record_id', 'digest', ...copiedColumns].map(
            (one) => `e.${quoteIdentifier(one)} = n.${quoteIdentifier(one)}`,
          );
          const updated = copiedColumns.map((one) => `${quoteIdentifier(one)} = excluded.${quoteIdentifier(one)}`);
          const entriesTable = this.#tableName(name);
          return `insert into ${entriesTable} (${columnList}) select * from unnest(${arrays.join(', ')}) as n(${columnList}) where ${condition} and not exists (select 1 from ${entriesTable} e where ${same.join(' and ')}) on conflict ("record_id", "digest") do update set ${updated.join(', ')}`;
        },
      };
    });
  }

  /** Removes the entries of records except those that they have now: most changes of a build leave its entries as they are. */
  #removeStaleEntries(rows: readonly AnyRow[]): SqlFragment[] {
    return this.#forEachEntriesTable(({ name, column }) => {
      const entries = entriesOf(rows, column);
      return {
        key: `keep entries ${name}`,
        values: [idsOf(rows), idsOf(entries), entries.map(({ digest }) => digest)],
        text: (firstParameter, condition) =>
          `delete from ${this.#tableName(name)} e where e."record_id" = any($${firstParameter}::uuid[]) and ${condition} and not exists (select 1 from unnest($${firstParameter + 1}::uuid[], $${firstParameter + 2}::text[]) as k("id", "digest") where k."id" = e."record_id" and k."digest" = e."digest")`,
      };
    });
  }

  /** Removes all entries of records. */
  removeEntries(records: readonly { readonly id: string }[]): SqlFragment[] {
    return this.#forEachEntriesTable(({ name }) => ({
      key: `remove entries ${name}`,
      values: [idsOf(records)],
      text: (firstParameter, condition) =>
        `delete from ${this.#tableName(name)} e where e."record_id" = any($${firstParameter}::uuid[]) and ${condition}`,
    }));
  }

  #forEachEntriesTable(make: (entriesTable: EntriesTable) => SqlFragment): SqlFragment[] {
    return entriesTablesOf(this.#entity).map(make);
  }

  /** The columns that have to be written, and those by which the records are found. */
  #changedColumns(replaced: readonly Replacement[]): readonly string[] {
    const { names } = columnsOf(this.#entity);
    return names.filter(
      (name) => name === 'id' || name === 'version' || replaced.some(({ row, before }) => differs(row, before, [name])),
    );
  }

  /**
   * The cells of a few rows as parameters of their own, which both sides handle faster than lists; of many rows, one list
   * for each column.
   */
  #rowValues(rows: readonly AnyRow[], names: readonly string[]): unknown[] {
    const kinds = this.#kindsOf(names);
    const length = paddedLength(rows.length);
    if (length === undefined) {
      return names.map((name, index) => rows.map((row) => encodeValue(row[name], kinds[index] ?? 'text')));
    }
    const values: unknown[] = [];
    for (const row of rows) {
      for (const [index, name] of names.entries()) values.push(encodeValue(row[name], kinds[index] ?? 'text'));
    }
    while (values.length < length * names.length) values.push(null);
    return values;
  }

  /** The rows as a table `v`. */
  #rowsTable(count: number, names: readonly string[], firstParameter: number): string {
    const types = this.#kindsOf(names).map((kind) => castTypes[kind]);
    const columnList = names.map(quoteIdentifier).join(', ');
    const length = paddedLength(count);
    if (length === undefined) {
      return `unnest(${types.map((type, index) => `$${firstParameter + index}::${type}[]`).join(', ')}) as v(${columnList})`;
    }
    const rows = Array.from({ length }, (_, row) => {
      const from = firstParameter + row * names.length;
      // The first row tells the types.
      return `(${types.map((type, index) => `$${from + index}${row === 0 ? `::${type}` : ''}`).join(', ')})`;
    });
    return `(values ${rows.join(', ')}) as v(${columnList})`;
  }

  #kindsOf(names: readonly string[]): ColumnKind[] {
    const columns: Readonly<Record<string, Column>> = entities[this.#entity].columns;
    return names.map((name) => columns[name]?.kind ?? 'text');
  }

  #tableName(table: string): string {
    return quoteIdentifier(physicalName(this.#prefix, table));
  }
}

/**
 * For how many rows a statement with this number of rows is built; what is too much is filled with nulls. Few lengths, since
 * each text is prepared on each connection, where that of a commit takes the server up to half a megabyte.
 */
const paddedLength = (count: number): number | undefined => [1, 2, 3, 4, 6, 8, 16].find((length) => length >= count);

/** Whether a row may have another value in one of these columns than it had. */
const differs = (row: AnyRow, before: AnyRow | undefined, names: readonly string[]): boolean =>
  before === undefined || names.some((name) => row[name] !== before[name]);

const idsOf = (records: readonly { readonly id: string }[]): unknown[] =>
  records.map(({ id }) => encodeValue(id, 'id'));

const entriesOf = (rows: readonly AnyRow[], column: string) =>
  rows.flatMap((row) => entryDigests(row[column]).map((digest) => ({ id: row.id, row, digest })));

/** `"version" = v."version", …` for all columns but the id. */
const assignments = (names: readonly string[]): string =>
  names.flatMap((name) => (name === 'id' ? [] : [`${quoteIdentifier(name)} = v.${quoteIdentifier(name)}`])).join(', ');
