import type { Direction, EntityName } from '../../../core/model/index.js';
import type { Query } from '../compile/query-shape.js';
import { physicalName, quoteIdentifier, tableOf } from '../identifiers.js';
import { columnsOf } from './columns.js';
import { joinById, postgresQueryDialect } from './dialect.js';
import type { Rows } from './session.js';

/**
 * Rows with their relations as one table of texts: first the rows themselves, then those of each `one` relation, where a
 * record that many rows refer to stands once, then those of each `many` relation. Each row begins with the part it belongs
 * to and its place there; parts with fewer columns are filled up. `page` is a table with the ids that are wanted, as `id`.
 *
 * A statement sees one state of the database, so a build never comes with the jobs of another version. As one JSON text
 * thirty builds took 1.4 times the processor time: the server is slow to write JSON, and what is JSON in a column would be
 * escaped and read twice. For a single build both cost about the same.
 */
export function rowsSql(query: Query, page: string, prefix: string, orderTerm?: OrderTerm): string {
  const parts = partsOf(query);
  const width = Math.max(...parts.map(({ entity }) => columnsOf(entity).names.length));
  const table = (entity: EntityName) => quoteIdentifier(physicalName(prefix, tableOf(entity)));
  const rows = `${page} p ${joinById(table(query.entity), 'p."id"')}`;
  /** What the rows have in a column, each value once. */
  const distinctIds = (column: string) => `(select distinct b.${quoteIdentifier(column)} as "id" from ${rows})`;
  const selects = parts.map((part, number) => {
    const { names } = columnsOf(part.entity);
    const cells = Array.from({ length: width }, (_, position) => {
      const name = names[position];
      return name === undefined ? 'null::text' : `${part.alias}.${quoteIdentifier(name)}::text`;
    });
    const select = (position: string, from: string) =>
      `select ${number}, ${position}, ${cells.join(', ')} from ${from}`;
    if (part.is === 'main') {
      return select(orderTerm === undefined ? '1' : rowNumber(part.alias, query.order, orderTerm), rows);
    }
    if (part.is === 'one') {
      return select('1', `${distinctIds(part.by)} r ${joinById(table(part.entity), 'r."id"', part.alias)}`);
    }
    const owners = part.on === 'id' ? page : distinctIds(part.on);
    const position = `${rowNumber('m', part.order, postgresQueryDialect.orderTerm)} as "place"`;
    const each = `select m.*, ${position} from ${table(part.entity)} m where m.${quoteIdentifier(part.by)} = r."id"`;
    return select('m."place"', `${owners} r cross join lateral (${each}) m`);
  });
  return selects.join(' union all ');
}

/** Takes apart what the statement of `rowsSql` answers. */
export function parseRows(query: Query, answer: Rows): Record<string, unknown>[] {
  const parts = partsOf(query);
  const decoders = parts.map(({ entity }) => columnsOf(entity).decode);
  const lists: { readonly place: number; readonly row: Record<string, unknown> }[][] = parts.map(() => []);
  for (const cells of answer) {
    const part = Number(cells[0]);
    const row = decoders[part]?.(cells, 2);
    if (row !== undefined) lists[part]?.push({ place: Number(cells[1]), row });
  }
  const [rows = [], ...related] = lists.map((list) => list.sort((a, b) => a.place - b.place).map(({ row }) => row));
  for (const [index, part] of parts.slice(1).entries()) {
    const records = related[index] ?? [];
    if (part.is === 'one') {
      const byId = new Map(records.map((record) => [record.id, record]));
      for (const row of rows) row[part.relation] = byId.get(row[part.by]) ?? null;
    } else if (part.is === 'many') {
      const byOwner = new Map<unknown, Record<string, unknown>[]>(rows.map((row) => [row[part.on], []]));
      for (const record of records) byOwner.get(record[part.by])?.push(record);
      for (const row of rows) row[part.relation] = byOwner.get(row[part.on]) ?? [];
    }
  }
  return rows;
}

/** What the table of a query consists of, in its order. */
type RowsPart = { readonly entity: EntityName; readonly alias: string } & (
  | { readonly is: 'main' }
  | { readonly is: 'one'; readonly relation: string; readonly by: string }
  | { readonly is: 'many'; readonly relation: string; readonly by: string; readonly on: string; readonly order: Order }
);

const partsOf = ({ entity, one = {}, many = {} }: Query): RowsPart[] => [
  { is: 'main', entity, alias: 'b' },
  ...Object.entries(one).map(
    ([relation, { to, by }]): RowsPart => ({ is: 'one', entity: to, alias: 'o', relation, by }),
  ),
  ...Object.entries(many).map(
    ([relation, { from, by, on = 'id', order }]): RowsPart => ({
      is: 'many',
      entity: from,
      alias: 'm',
      relation,
      by,
      on,
      order,
    }),
  ),
];

/** Which row it is in an order, from 1. */
const rowNumber = (alias: string, order: Order, orderTerm: OrderTerm): string => {
  const terms = order.map(([column, direction]) => orderTerm(`${alias}.${quoteIdentifier(column)}`, direction));
  return `row_number() over (order by ${terms.join(', ')})`;
};

type Order = readonly (readonly [string, Direction])[];
type OrderTerm = (expression: string, direction: Direction) => string;
