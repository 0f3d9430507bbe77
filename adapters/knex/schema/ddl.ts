import type { Step } from '../migrations/migration.js';
import { physical, quoted } from '../names.js';
import type { ColumnType, Tally } from './schema.js';

/** How a database spells the type of a column. */
export type TypeNames = Readonly<Record<Exclude<ColumnType, `${string}?`>, string>>;

/** How a database spells a column of an index. */
export type IndexTerm = (column: string, direction: 'asc' | 'desc') => string;

/** Where databases differ in how a schema is made. */
export interface Spelling {
  readonly types: TypeNames;
  readonly indexed: IndexTerm;
  /** What a record is counted under by a column: its value, or the day or month of it as rows spell them. */
  counted(column: string, per: Tally['per']): string;
}

/** A step of a migration as a statement. */
export function statementOf(step: Step, prefix: string, spelling: Spelling): string {
  const { types, indexed } = spelling;
  const name = (plain: string) => quoted(physical(prefix, plain));
  if ('add' in step) return `alter table ${name(step.to)} add column ${quoted(step.add)} ${typed(step.type, types)}`;
  if ('dropIndex' in step) return `drop index ${name(step.dropIndex)}`;
  if ('index' in step) {
    const { on, columns, unique } = step.as;
    return `create ${unique ? 'unique ' : ''}index ${name(step.index)} on ${name(on)} (${columns.map((column) => directed(column, indexed)).join(', ')})`;
  }
  if ('tally' in step) {
    const { on, owner, column, per } = step.as;
    const value = spelling.counted(quoted(column), per);
    return `insert into ${name('tallies')} ("owner", "tally", "value", "slot", "count") select ${quoted(owner)}, '${step.tally}', ${value}, 0, count(*) from ${name(on)} group by ${quoted(owner)}, ${value}`;
  }
  const { columns, key } = step.table;
  const lines = Object.entries(columns).map(([column, type]) => `${quoted(column)} ${typed(type, types)}`);
  // A counter is its own primary key: SQLite knows no other way to say `autoincrement`.
  if (!Object.values(columns).includes('counter')) lines.push(`primary key (${key.map(quoted).join(', ')})`);
  return `create table ${name(step.create)} (${lines.join(', ')})`;
}

function typed(type: ColumnType, types: TypeNames): string {
  return type.endsWith('?')
    ? types[type.slice(0, -1) as keyof TypeNames]
    : `${types[type as keyof TypeNames]} not null`;
}

function directed(column: string, indexed: IndexTerm): string {
  const [name = '', direction] = column.split(' ');
  return indexed(quoted(name), direction === 'desc' ? 'desc' : 'asc');
}
