import type { QueryDialect } from '../compile/query-dialect.js';
import { sqliteBuilder } from '../schema/builders.js';
import { bucketLengths } from '../schema/counters.js';
import type { SchemaDialect } from '../schema/ddl.js';

const orderTerm = (expression: string, direction: 'asc' | 'desc') =>
  direction === 'asc' ? expression : `${expression} desc`;

export const sqliteSchemaDialect: SchemaDialect = {
  builder: sqliteBuilder,
  types: {
    id: 'text',
    text: 'text',
    integer: 'integer',
    flag: 'integer',
    time: 'text',
    json: 'text',
  },
  // The one spelling in which SQLite never uses a number twice.
  addCounter: (table, column) => {
    table.specificType(column, 'integer primary key autoincrement not null');
  },
  orderTerm,
  counterValue: (column, bucket) => (bucket === 'value' ? column : `substr(${column}, 1, ${bucketLengths[bucket]})`),
};

const encode = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value);

const joinOne = (table: string, condition: string): string => `cross join ${table} b on ${condition}`;

export const sqliteQueryDialect: QueryDialect = {
  parameterSign: '?',
  supportsLateral: false,
  encode,
  encodeList: (values) => JSON.stringify(values.map(encode)),
  inList: (expression, list) => `${expression} in (select "value" from json_each(${list}))`,
  listTable: (list, alias) => `json_each(${list}) ${alias}`,
  // The planner keeps to the order of a cross join.
  joinById: (table, id) => joinOne(table, `b."id" = ${id}`),
  joinOne,
  keysTable: () => ({
    table: 'json_each(?1) k',
    index: 'k."key"',
    cell: (column) => `json_extract(k."value", '$[${column}]')`,
  }),
  encodeKeys: (keys) => [JSON.stringify(keys.map((key) => key.map(encode)))],
  withoutIndex: (expression) => `+${expression}`,
  // `lower` knows ASCII only here, which is what the contract asks for.
  contains: (expression, text) => `instr(lower(${expression}), lower(${text})) > 0`,
  // A bare parameter as the limit makes SQLite plan the statement anew each time the parameter is bound (seen in 3.52):
  // reading one build with its relations then takes four times as long.
  limitOffset: (limit, offset) => `limit ${limit} + 0${offset === undefined ? '' : ` offset ${offset} + 0`}`,
  castInteger: (sum) => sum,
  dayBoundary: (day, direction) => (direction === 'asc' ? day : `${day} || 'T24'`),
  orderTerm,
};
