import { type Column, type ColumnKind, type EntityName, entities } from '../../../core/model/index.js';
import { physicalName, quoteIdentifier, tableOf } from '../identifiers.js';
import { type EntriesTable, entriesTablesOf, entryDigests } from '../schema/entries-tables.js';
import { columnsOf } from './columns.js';
import { castTypes } from './dialect.js';
import { type PaddedChunk, paddedChunks, type SqlFragment } from './sql-fragments.js';
import { encodeValue } from './values.js';

type AnyRow = Readonly<Record<string, unknown>> & { readonly id: string; readonly version: number };

/** A new row for a record, and what the record was if that is known. */
export interface Replacement {
  readonly row: AnyRow;
  readonly before?: AnyRow | undefined;
}

/** A record that must be there, at a version if one is given; `place` is raised if it is not. */
export interface ExpectedRecord {
  readonly id: string;
  readonly version: number | null;
  readonly conflictIndex: number;
}

/**
 * What is done with several records of one entity, each of them in one piece whatever their number. The records go by the
 * name of `t`. Side tables are for whoever changes the records to change as well.
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

  /** Locks the records until the transaction ends, always in the order of their ids, and raises the place of one that is not as expected. */
  lock(records: readonly ExpectedRecord[], mode: 'share' | 'no key update'): SqlFragment {
    return {
      key: `hold ${this.#entity} ${mode}`,
      values: [
        idsOf(records),
        records.map(({ version }) => version),
        records.map(({ conflictIndex }) => conflictIndex),
      ],
      text: (firstParameter) =>
        `with held as materialized (select "id", "version" from ${this.#table} where "id" = any($${firstParameter}::uuid[]) order by "id" for ${mode}) ${raiseConflict} from unnest($${firstParameter}::uuid[], $${firstParameter + 1}::bigint[], $${firstParameter + 2}::bigint[]) as w("id", "version", "place") left join held h on h."id" = w."id" where h."version" is null or h."version" <> w."version"`,
    };
  }

  /** Locks the records against changes, in the order of their ids, and selects the ids of those that are at their version. */
  lockUnchanged(records: readonly { readonly id: string; readonly version: number }[]): SqlFragment {
    return {
      key: `unchanged ${this.#entity}`,
      values: [idsOf(records), records.map(({ version }) => version)],
      text: (firstParameter, condition = 'true') =>
        `select t."id" from (select "id", "version" from ${this.#table} where "id" = any($${firstParameter}::uuid[]) and ${condition} order by "id" for share) t join unnest($${firstParameter}::uuid[], $${firstParameter + 1}::bigint[]) as w("id", "version") on t."id" = w."id" and t."version" = w."version"`,
    };
  }

  /** Raises the place of a record that is there. */
  requireAbsent(records: readonly Omit<ExpectedRecord, 'version'>[]): SqlFragment {
    return {
      key: `absent ${this.#entity}`,
      values: [idsOf(records), records.map(({ conflictIndex }) => conflictIndex)],
      text: (firstParameter) =>
        `${raiseConflict} from unnest($${firstParameter}::uuid[], $${firstParameter + 1}::bigint[]) as w("id", "place") join ${this.#table} t on t."id" = w."id"`,
    };
  }

  touch(records: readonly { readonly id: string }[]): SqlFragment {
    return {
      key: `touch ${this.#entity}`,
      values: [idsOf(records)],
      text: (firstParameter, condition = 'true') =>
        `update ${this.#table} t set "version" = "version" + 1 where t."id" = any($${firstParameter}::uuid[]) and ${condition}`,
    };
  }

  /** Removes those of the records that are at their version. */
  remove(records: readonly { readonly id: string; readonly version: number }[]): SqlFragment {
    return {
      key: `remove ${this.#entity}`,
      values: [idsOf(records), records.map(({ version }) => version)],
      text: (firstParameter, condition = 'true') =>
        `delete from ${this.#table} t using unnest($${firstParameter}::uuid[], $${firstParameter + 1}::bigint[]) as v("id", "version") where t."id" = v."id" and t."version" = v."version" and ${condition}`,
    };
  }

  insert(rows: readonly AnyRow[]): SqlFragment[] {
    const { names } = columnsOf(this.#entity);
    return paddedChunks(rows).map((chunk) => ({
      key: `insert ${this.#entity} ${chunk.paddedLength}`,
      values: this.#encodeRows(chunk, names),
      text: (firstParameter, condition = 'true') =>
        `insert into ${this.#table} as t (${names.map(quoteIdentifier).join(', ')}) select * from ${this.#valuesTable(chunk, names, firstParameter)} where v."id" is not null and ${condition}`,
    }));
  }

  /**
   * Writes the rows in the place of those at the version before, of each the columns in which one of them differs; indexes of
   * columns whose value stays the same are left alone by PostgreSQL itself.
   */
  replace(replaced: readonly Replacement[]): SqlFragment[] {
    const names = this.#changedColumns(replaced);
    return paddedChunks(replaced.map(({ row }) => row)).map((chunk) => ({
      key: `replace ${this.#entity} ${names.join('+')} ${chunk.paddedLength}`,
      values: this.#encodeRows(chunk, names),
      text: (firstParameter, condition = 'true') =>
        `update ${this.#table} t set ${assignments(names)} from ${this.#valuesTable(chunk, names, firstParameter)} where t."id" = v."id" and t."version" = v."version" - 1 and ${condition}`,
    }));
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
        text: (firstParameter: number, condition = 'true') => {
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
        text: (firstParameter, condition = 'true') =>
          `delete from ${this.#tableName(name)} e where e."record_id" = any($${firstParameter}::uuid[]) and ${condition} and not exists (select 1 from unnest($${firstParameter + 1}::uuid[], $${firstParameter + 2}::text[]) as k("id", "digest") where k."id" = e."record_id" and k."digest" = e."digest")`,
      };
    });
  }

  /** Removes all entries of records. */
  removeEntries(records: readonly { readonly id: string }[]): SqlFragment[] {
    return this.#forEachEntriesTable(({ name }) => ({
      key: `remove entries ${name}`,
      values: [idsOf(records)],
      text: (firstParameter, condition = 'true') =>
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

  #encodeRows({ items, paddedLength }: PaddedChunk<AnyRow>, names: readonly string[]): unknown[] {
    const kinds = this.#kindsOf(names);
    const values: unknown[] = [];
    for (const row of items) {
      for (let index = 0; index < names.length; index++)
        values.push(encodeValue(row[names[index] as string], kinds[index] ?? 'text'));
    }
    while (values.length < paddedLength * names.length) values.push(null);
    return values;
  }

  /** `(values ($1::uuid, $2::bigint), ($3, $4)) as v("id", "version")`: the first row tells the types. */
  #valuesTable({ paddedLength }: PaddedChunk<AnyRow>, names: readonly string[], firstParameter: number): string {
    const casts = this.#kindsOf(names).map((kind) => `::${castTypes[kind]}`);
    const rows = Array.from({ length: paddedLength }, (_, row) => {
      const from = firstParameter + row * names.length;
      return `(${names.map((_, index) => `$${from + index}${row === 0 ? casts[index] : ''}`).join(', ')})`;
    });
    return `(values ${rows.join(', ')}) as v(${names.map(quoteIdentifier).join(', ')})`;
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
 * A check that fails aborts the transaction, so that the commit may be sent along with it. What is raised is the text of
 * a number that is none; it hangs on a row, or the planner would try it beforehand.
 */
const raiseConflict = `select cast('millrace ' || w."place"::text as integer)`;

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
