import type { Dialect } from '../compile/dialect.js';
import type { Spelling } from '../schema/ddl.js';
import { lengths } from '../schema/tallies.js';

const ordered = (expression: string, direction: 'asc' | 'desc') =>
  direction === 'asc' ? expression : `${expression} desc`;

export const sqliteSpelling: Spelling = {
  types: {
    id: 'text',
    text: 'text',
    integer: 'integer',
    flag: 'integer',
    time: 'text',
    json: 'text',
    counter: 'integer primary key autoincrement',
  },
  indexed: ordered,
  counted: (column, per) => (per === 'value' ? column : `substr(${column}, 1, ${lengths[per]})`),
};

const encode = (value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value);

const matched = (table: string, condition: string): string => `cross join ${table} b on ${condition}`;

export const sqliteDialect: Dialect = {
  sign: '?',
  lateral: false,
  encode,
  encodeList: (values) => JSON.stringify(values.map(encode)),
  among: (expression, list) => `${expression} in (select "value" from json_each(${list}))`,
  table: (list, alias) => `json_each(${list}) ${alias}`,
  // The planner keeps to the order of a cross join.
  followed: (table, id) => matched(table, `b."id" = ${id}`),
  matched,
  keys: () => ({
    table: 'json_each(?1) k',
    place: 'k."key"',
    cell: (column) => `json_extract(k."value", '$[${column}]')`,
  }),
  encodeKeys: (keys) => [JSON.stringify(keys.map((key) => key.map(encode)))],
  aside: (expression) => `+${expression}`,
  // `lower` knows ASCII only here, which is what the contract asks for.
  contains: (expression, text) => `instr(lower(${expression}), lower(${text})) > 0`,
  // A bare parameter as the limit makes SQLite plan the statement anew each time the parameter is bound (seen in 3.52):
  // reading one build with its relations then takes four times as long.
  window: (limit, offset) => `limit ${limit} + 0${offset === undefined ? '' : ` offset ${offset} + 0`}`,
  integer: (sum) => sum,
  edge: (day, direction) => (direction === 'asc' ? day : `${day} || 'T24'`),
  ordered,
};
