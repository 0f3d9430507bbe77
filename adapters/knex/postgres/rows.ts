import type { Direction, EntityName } from '../../../core/model/index.js';
import type { Query } from '../compile/matching.js';
import { physical, quoted, tableOf } from '../names.js';
import { columnsOf } from './columns.js';
import { followed, postgresDialect } from './dialect.js';
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
export function rowsSql(query: Query, page: string, prefix: string, ordered?: Ordered): string {
  const parts = partsOf(query);
  const width = Math.max(...parts.map(({ entity }) => columnsOf(entity).names.length));
  const table = (entity: EntityName) => quoted(physical(prefix, tableOf(entity)));
  const rows = `${page} p ${followed(table(query.entity), 'p."id"')}`;
  /** What the rows have in a column, each value once. */
  const referred = (column: string) => `(select distinct b.${quoted(column)} as "id" from ${rows})`;
  const selects = parts.map((part, number) => {
    const { names } = columnsOf(part.entity);
    const cells = Array.from({ length: width }, (_, place) => {
      const name = names[place];
      return name === undefined ? 'null::text' : `${part.alias}.${quoted(name)}::text`;
    });
    const select = (place: string, from: string) => `select ${number}, ${place}, ${cells.join(', ')} from ${from}`;
    if (part.is === 'main') {
      return select(ordered === undefined ? '1' : numbered(part.alias, query.order, ordered), rows);
    }
    if (part.is === 'one') {
      return select('1', `${referred(part.by)} r ${followed(table(part.entity), 'r."id"', part.alias)}`);
    }
    const owners = part.on === 'id' ? page : referred(part.on);
    const place = `${numbered('m', part.order, postgresDialect.ordered)} as "place"`;
    const each = `select m.*, ${place} from ${table(part.entity)} m where m.${quoted(part.by)} = r."id"`;
    return select('m."place"', `${owners} r cross join lateral (${each}) m`);
  });
  return selects.join(' union all ');
}

/** Takes apart what the statement of `rowsSql` answers. */
export function rowsFrom(query: Query, answer: Rows): Record<string, unknown>[] {
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
type Part = { readonly entity: EntityName; readonly alias: string } & (
  | { readonly is: 'main' }
  | { readonly is: 'one'; readonly relation: string; readonly by: string }
  | { readonly is: 'many'; readonly relation: string; readonly by: string; readonly on: string; readonly order: Order }
);

const partsOf = ({ entity, one = {}, many = {} }: Query): Part[] => [
  { is: 'main', entity, alias: 'b' },
  ...Object.entries(one).map(([relation, { to, by }]): Part => ({ is: 'one', entity: to, alias: 'o', relation, by })),
  ...Object.entries(many).map(
    ([relation, { from, by, on = 'id', order }]): Part => ({
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
const numbered = (alias: string, order: Order, ordered: Ordered): string => {
  const terms = order.map(([column, direction]) => ordered(`${alias}.${quoted(column)}`, direction));
  return `row_number() over (order by ${terms.join(', ')})`;
};

type Order = readonly (readonly [string, Direction])[];
type Ordered = (expression: string, direction: Direction) => string;
