import type { Direction, EntityName } from '../../../core/model/index.js';
import type { Query } from '../compile/matching.js';
import { physical, quoted, tableOf } from '../names.js';
import { columnsOf } from './columns.js';
import { followed, postgresDialect } from './dialect.js';

/**
 * Rows with their relations as one JSON text: `[rows, …]`, then a list for each `one` relation, where a record that many
 * rows refer to stands once; a `many` relation is one more cell at the end of its row. `page` is a table with the ids that
 * are wanted, as the column `id`.
 *
 * A statement sees one state of the database, so a build never comes with the jobs of another version. Statements of their
 * own for the rows and each relation, in one trip and a transaction, were measured at half the speed for one build and at
 * 0.7 for thirty: the driver is slow per cell, and the server per statement.
 */
export function rowsSql(query: Query, page: string, prefix: string, ordered?: Ordered): string {
  const table = (entity: EntityName) => quoted(physical(prefix, tableOf(entity)));
  const rows = `${page} p ${followed(table(query.entity), 'p."id"')}`;
  const many = Object.values(query.many ?? {}).map(({ from, by, on = 'id', order }) => {
    // An offset, even of nothing, keeps the planner from taking the inner query apart.
    const each = `select ${columnsOf(from).cells('m')} as "cells" from ${table(from)} m where m.${quoted(by)} = b.${quoted(on)} order by ${terms('m', order, postgresDialect.ordered)} offset 0`;
    return `(select json_agg(m."cells") from (${each}) m)`;
  });
  const order = ordered === undefined ? '' : ` order by ${terms('b', query.order, ordered)}`;
  const lists = [
    `select ${columnsOf(query.entity).cells('b', many)} as "cells" from ${rows}${order}`,
    ...Object.values(query.one ?? {}).map(({ to, by }) => {
      const referred = `(select distinct b.${quoted(by)} as "id" from ${rows}) r`;
      return `select ${columnsOf(to).cells('o')} as "cells" from ${referred} ${followed(table(to), 'r."id"', 'o')}`;
    }),
  ];
  return `select json_build_array(${lists.map((list) => `(select json_agg(l."cells") from (${list}) l)`).join(', ')})`;
}

const terms = (alias: string, order: Order, ordered: Ordered) =>
  order.map(([column, direction]) => ordered(`${alias}.${quoted(column)}`, direction)).join(', ');

/** Takes apart what the statement of `rowsSql` answers. */
export function rowsFrom(query: Query, json: string): Record<string, unknown>[] {
  const [cells, ...lists] = JSON.parse(json) as (unknown[][] | null)[];
  const main = columnsOf(query.entity);
  const one = Object.entries(query.one ?? {}).map(([relation, { to, by }], place) => {
    const related = (lists[place] ?? []).map(columnsOf(to).decode);
    return { relation, by, rows: new Map(related.map((row) => [row.id, row])) };
  });
  const many = Object.entries(query.many ?? {}).map(([relation, { from }], place) => ({
    relation,
    place: main.names.length + place,
    decode: columnsOf(from).decode,
  }));
  return (cells ?? []).map((list) => {
    const row = main.decode(list);
    for (const { relation, by, rows } of one) row[relation] = rows.get(row[by]) ?? null;
    for (const { relation, place, decode } of many) row[relation] = ((list[place] ?? []) as unknown[][]).map(decode);
    return row;
  });
}

type Order = readonly (readonly [string, Direction])[];
type Ordered = (expression: string, direction: Direction) => string;
