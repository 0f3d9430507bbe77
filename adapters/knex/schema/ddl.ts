import type { Knex } from 'knex';
import { physicalName } from '../identifiers.js';
import type { MigrationStep } from '../migrations/migration.js';
import type { Builder } from './builders.js';
import type { ColumnType, Counter, Table } from './schema.js';

/** How a database spells the type of a column. */
export type ColumnTypeNames = Readonly<Record<Exclude<ColumnType, `${string}?` | 'counter'>, string>>;

/** Where databases differ in how a schema is made. */
export interface SchemaDialect {
  readonly builder: Builder;
  readonly types: ColumnTypeNames;
  /** Adds a column that numbers the rows and is the primary key. */
  addCounter(table: Knex.CreateTableBuilder, column: string): void;
  /** One term of an index or an order. */
  orderTerm(expression: string, direction: 'asc' | 'desc'): string;
  /** What a record is counted under by a column: its value, or the day or month of it as rows spell them. */
  counterValue(column: string, bucket: Counter['bucket']): string;
}

/** The statements of one step of a migration. */
export function ddlStatements(step: MigrationStep, prefix: string, dialect: SchemaDialect): string[] {
  if ('counter' in step) return [countStatement(step.counter, step.as, prefix, dialect)];
  const { schema } = dialect.builder();
  const name = (plain: string) => physicalName(prefix, plain);
  if ('create' in step)
    return sqlOf(schema.createTable(name(step.create), (table) => addColumns(table, step.table, dialect)));
  if ('add' in step)
    return sqlOf(schema.alterTable(name(step.to), (table) => addColumn(table, step.add, step.type, dialect)));
  // An index has a name of its own; SQLite and PostgreSQL drop it by this name alone.
  if ('dropIndex' in step)
    return sqlOf(schema.alterTable(name(step.dropIndex), (table) => table.dropIndex([], name(step.dropIndex))));
  const { on, columns, unique } = step.as;
  const terms = columns.map((column) => indexTerm(column, dialect));
  return sqlOf(
    schema.alterTable(name(on), (table) => {
      if (unique) table.unique(terms as never[], { indexName: name(step.index), useConstraint: false });
      else table.index(terms, name(step.index));
    }),
  );
}

/** The statement that fills a new counter with the records that are there. */
export function countStatement(
  counter: string,
  { on, owner, column, bucket }: Counter,
  prefix: string,
  dialect: SchemaDialect,
): string {
  const builder = dialect.builder();
  const value = builder.raw(dialect.counterValue(`"${column}"`, bucket));
  const target = builder.raw('?? (??)', [
    physicalName(prefix, 'tallies'),
    ['owner', 'tally', 'value', 'slot', 'count'] as never,
  ]);
  const counts = builder(physicalName(prefix, on))
    .select(owner, builder.raw('?', [counter]), value, builder.raw('0'), builder.raw('count(*)'))
    .groupBy(owner, value as never);
  return builder(target as never)
    .insert(counts as never)
    .toQuery();
}

/** The statements that a schema builder has collected. Definitions of tables have no bindings. */
export const sqlOf = (schema: Knex.SchemaBuilder): string[] => [schema.toSQL()].flat().map(({ sql }) => sql);

function addColumns(table: Knex.CreateTableBuilder, { columns, key }: Table, dialect: SchemaDialect): void {
  for (const [column, type] of Object.entries(columns)) addColumn(table, column, type, dialect);
  if (!Object.values(columns).includes('counter')) table.primary([...key]);
}

function addColumn(table: Knex.CreateTableBuilder, column: string, type: ColumnType, dialect: SchemaDialect): void {
  if (type === 'counter') dialect.addCounter(table, column);
  else if (type.endsWith('?')) table.specificType(column, dialect.types[type.slice(0, -1) as keyof ColumnTypeNames]);
  else table.specificType(column, dialect.types[type as keyof ColumnTypeNames]).notNullable();
}

function indexTerm(column: string, { builder, orderTerm }: SchemaDialect): Knex.Raw {
  const [name = '', direction] = column.split(' ');
  return builder().raw(orderTerm('??', direction === 'desc' ? 'desc' : 'asc'), [name]);
}
