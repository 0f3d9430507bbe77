import type { ColumnKind } from '../../../core/model/index.js';
import type { QueryDialect } from '../compile/query-dialect.js';
import { postgresBuilder } from '../schema/builders.js';
import type { SchemaDialect } from '../schema/ddl.js';
import type { Counter } from '../schema/schema.js';
import { encodeValue } from './values.js';

/**
 * Text is compared by its bytes, which is code point order and needs no locale. JSON is kept as text: `jsonb` loses the
 * order of keys, and so does `json` in engines that take it for another name of it. Events are numbered after they were
 * stored (see `outbox.ts`): until then they have only their place.
 */
const types: SchemaDialect['types'] = {
  id: 'uuid',
  text: 'text collate "C"',
  integer: 'bigint',
  flag: 'boolean',
  time: 'timestamp(3) with time zone',
  json: 'text',
};

/**
 * Rows by ids that another table or a list gives. Plans are made for all values at once, so the planner knows neither how
 * long a list is nor how far a page reaches, and would rather read a whole table; the limit leaves it no choice.
 */
export const joinById = (table: string, id: string, alias = 'b', columns = '*'): string =>
  joinOne(table, `${alias}."id" = ${id}`, alias, columns);

const joinOne = (table: string, condition: string, alias = 'b', columns = '*'): string =>
  `cross join lateral (select ${columns} from ${table} ${alias} where ${condition} limit 1) ${alias}`;

/** The sum of two parameters has no type unless they have one. */
const castParameters = (number: string) => number.replace(/\$\d+/g, '$&::bigint');

/** How parameters that hold lists are cast; a text without a collation of its own follows that of the column. */
export const castTypes: Readonly<Record<ColumnKind, string>> = {
  id: 'uuid',
  text: 'text',
  integer: 'bigint',
  flag: 'boolean',
  time: 'timestamptz',
  json: 'text',
};

/** Null before every value, in the spelling that an index answers in both directions. */
const orderTerm: SchemaDialect['orderTerm'] = (expression, direction) =>
  direction === 'asc' ? `${expression} asc nulls first` : `${expression} desc nulls last`;

/** A day or a month as rows spell it; PostgreSQL calls the year 0 the first one before Christ. */
function counterValue(column: string, bucket: Counter['bucket']): string {
  if (bucket === 'value') return column;
  const suffix = bucket === 'day' ? '-MM-DD' : '-MM';
  const inUtc = `${column} at time zone 'UTC'`;
  return `case when ${column} < timestamptz '0001-01-01 00:00:00Z' then '0000' || to_char(${inUtc}, '${suffix}') else to_char(${inUtc}, 'YYYY${suffix}') end`;
}

export const postgresSchemaDialect: SchemaDialect = {
  builder: postgresBuilder,
  types,
  addCounter: (table, column) => {
    table.specificType(column, 'bigint');
    table.specificType('place', 'bigint generated always as identity primary key');
  },
  orderTerm,
  counterValue,
};

export const postgresQueryDialect: QueryDialect = {
  parameterSign: '$',
  supportsLateral: true,
  encode: encodeValue,
  // What cannot be a value of the column (a text that is no id, for example) equals nothing.
  encodeList: (values, kind) => values.map((value) => encodeValue(value, kind)).filter((value) => value !== null),
  inList: (expression, list) => `${expression} = any(${list})`,
  listTable: (list, alias, kind) => `unnest(${list}::${castTypes[kind]}[]) as ${alias}("value")`,
  joinById,
  joinOne: (table, condition) => joinOne(table, condition),
  keysTable: (kinds) => {
    const lists = kinds.map((kind, index) => `$${index + 1}::${castTypes[kind]}[]`).join(', ');
    const cell = (column: number) => `k."${column}"`;
    const named = kinds.map((_, column) => `"${column}"`).join(', ');
    const table = `unnest(${lists}) with ordinality as k(${named}, "place")`;
    return { table, index: 'k."place" - 1', cell };
  },
  encodeKeys: (keys, kinds) => kinds.map((kind, column) => keys.map((key) => encodeValue(key[column], kind))),
  // The planner knows how often values occur, and judges better than a rule.
  withoutIndex: (expression) => expression,
  // `lower` knows ASCII only under this collation, which is what the contract asks for.
  contains: (expression, text) => `position(lower(${text}::text collate "C") in lower(${expression})) > 0`,
  limitOffset: (limit, offset) =>
    `limit ${castParameters(limit)}${offset === undefined ? '' : ` offset ${castParameters(offset)}`}`,
  castInteger: (sum) => `${sum}::bigint`,
  dayBoundary: (day, direction) =>
    `(to_date(${day}, 'YYYY-MM-DD') + ${direction === 'asc' ? 0 : 1})::timestamp at time zone 'UTC'`,
  orderTerm,
};
