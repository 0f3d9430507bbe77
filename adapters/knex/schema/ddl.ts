import { physicalName, quoteIdentifier } from '../identifiers.js';
import type { MigrationStep } from '../migrations/migration.js';
import type { ColumnType, Counter } from './schema.js';

/** How a database spells the type of a column. */
export type ColumnTypeNames = Readonly<Record<Exclude<ColumnType, `${string}?`>, string>>;

/** How a database spells a column of an index. */
export type IndexTerm = (column: string, direction: 'asc' | 'desc') => string;

/** Where databases differ in how a schema is made. */
export interface SchemaDialect {
  readonly types: ColumnTypeNames;
  readonly indexTerm: IndexTerm;
  /** What a record is counted under by a column: its value, or the day or month of it as rows spell them. */
  counterValue(column: string, bucket: Counter['bucket']): string;
}

/** A step of a migration as a statement. */
export function ddlStatement(step: MigrationStep, prefix: string, dialect: SchemaDialect): string {
  const { types, indexTerm } = dialect;
  const name = (plain: string) => quoteIdentifier(physicalName(prefix, plain));
  if ('add' in step)
    return `alter table ${name(step.to)} add column ${quoteIdentifier(step.add)} ${columnTypeSql(step.type, types)}`;
  if ('dropIndex' in step) return `drop index ${name(step.dropIndex)}`;
  if ('index' in step) {
    const { on, columns, unique } = step.as;
    return `create ${unique ? 'unique ' : ''}index ${name(step.index)} on ${name(on)} (${columns.map((column) => indexColumnSql(column, indexTerm)).join(', ')})`;
  }
  if ('counter' in step) {
    const { on, owner, column, bucket } = step.as;
    const value = dialect.counterValue(quoteIdentifier(column), bucket);
    return `insert into ${name('tallies')} ("owner", "tally", "value", "slot", "count") select ${quoteIdentifier(owner)}, '${step.counter}', ${value}, 0, count(*) from ${name(on)} group by ${quoteIdentifier(owner)}, ${value}`;
  }
  const { columns, key } = step.table;
  const lines = Object.entries(columns).map(
    ([column, type]) => `${quoteIdentifier(column)} ${columnTypeSql(type, types)}`,
  );
  // A counter is its own primary key: SQLite knows no other way to say `autoincrement`.
  if (!Object.values(columns).includes('counter')) lines.push(`primary key (${key.map(quoteIdentifier).join(', ')})`);
  return `create table ${name(step.create)} (${lines.join(', ')})`;
}

function columnTypeSql(type: ColumnType, types: ColumnTypeNames): string {
  return type.endsWith('?')
    ? types[type.slice(0, -1) as keyof ColumnTypeNames]
    : `${types[type as keyof ColumnTypeNames]} not null`;
}

function indexColumnSql(column: string, indexTerm: IndexTerm): string {
  const [name = '', direction] = column.split(' ');
  return indexTerm(quoteIdentifier(name), direction === 'desc' ? 'desc' : 'asc');
}
