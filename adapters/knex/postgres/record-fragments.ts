import { type Column, type ColumnKind, type EntityName, entities } from '../../../core/model/index.js';
import { physicalName, quoteIdentifier, tableOf } from '../identifiers.js';
import { type EntriesTable, entriesTablesOf, entryDigests } from '../schema/entries-tables.js';
import { columnsOf } from './columns.js';
import { castTypes } from './dialect.js';
import type { SqlFragment } from './sql-fragments.js';
import { encodeValue } from './values.js';

type AnyRow = Readonly<Record<string, unknown>> & { readonly id: string; readonly version: number };

/** The new row of a record, and its row before if that is known. */
export interface Replacement {
  readonly row: AnyRow;
  readonly before?: AnyRow | undefined;
}

/** A record that must exist, at this version unless it is null. */
export interface ExpectedRecord {
  readonly id: string;
  readonly version: number | null;
}

/**
 * The SQL fragments with which a commit changes records of one entity: one fragment for each kind of change, whatever the
 * number of records. Only `lock` checks versions. Callers add the changes of the entries tables.
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
   * Locks the records until the transaction ends, in the order of their ids, and selects the positions in the list, from 1,
   * of those that are at the expected version; null means any version. A record may be expected more than once.
   */
  lock(records: readonly ExpectedRecord[], mode: 'share' | 'no key update'): SqlFragment {
    return {
      key: `lock ${this.#entity} ${mode}`,
      values: [idsOf(records), records.map(({ version }) => version)],
      text: (firstParameter, condition) =>
        `select w."place" from (select "id", "version" from ${this.#table} where "id" = any($${firstParameter}::uuid[]) and ${condition} order by "id" for ${mode}) t join unnest($${firstParameter}::uuid[], $${firstParameter + 1}::bigint[]) with ordinality as w("id", "version", "place") on t."id" = w."id" and t."version" = coalesce(w."version", t."version")`,
    };
  }

  /** Selects those of the records that exist. */
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
   * Updates the rows. It sets every column in which at least one row differs; PostgreSQL does not touch the indexes of columns
   * whose value stays the same.
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

  /** Updates the entries tables for records whose entries, or copied columns, have changed. */
  replaceEntries(replaced: readonly Replacement[]): SqlFragment[] {
    const changed = replaced.filter(({ row, before }) =>
      entriesTablesOf(this.#entity).some(({ column, copiedColumns }) =>
        differs(row, before, [column, ...copiedColumns]),
      ),
    );
    const rows = changed.map(({ row }) => row);
    return changed.length === 0 ? [] : [...this.#removeStaleEntries(rows), ...this.addEntries(rows)];
  }

  /** Adds the entries of records to the entries tables. Entries that exist are not written again. */
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

  /** Removes the entries that records no longer have. The others stay, since most changes of a build do not change its entries. */
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

  /** The columns to write, with `id` and `version`. */
  #changedColumns(replaced: readonly Replacement[]): readonly string[] {
    const { names } = columnsOf(this.#entity);
    return names.filter(
      (name) => name === 'id' || name === 'version' || replaced.some(({ row, before }) => differs(row, before, [name])),
    );
  }

  /**
   * A parameter for each cell if the rows are few, since driver and server handle single values faster than lists; otherwise
   * one list for each column.
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
      // The first row defines the types.
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
