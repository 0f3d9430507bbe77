import { type Column, type Direction, type EntityName, entities } from '../../../core/model/index.js';
import { cellsOf } from '../compile/cells.js';
import type { Query } from '../compile/matching.js';
import { physical, quoted, tableOf } from '../names.js';

/**
 * Rows with their relations as one JSON text: the driver is slow per cell, so a page of builds comes back as a single one.
 * It is `[rows, …]`, then one list for each `one` relation, where a record that many rows refer to stands once; a `many`
 * relation is one more cell at the end of its row.
 */
export function rowsSql(query: Query, page: string, prefix: string): string {
  const table = (entity: EntityName) => quoted(physical(prefix, tableOf(entity)));
  const main = `page cross join ${table(query.entity)} b on b."id" = page."id"`;
  const many = Object.values(query.many ?? {}).map(
    ({ from, by, on, order }) =>
      `(select json_group_array(${cells(from, 'm')}) from (select * from ${table(from)} m where m.${quoted(by)} = b.${quoted(on ?? 'id')} order by ${ordered(order)}) m)`,
  );
  const lists = [
    `(select json_group_array(${cells(query.entity, 'b', many)}) from ${main})`,
    ...Object.values(query.one ?? {}).map(
      ({ to, by }) =>
        `(select json_group_array(${cells(to, 'o')}) from ${table(to)} o where o."id" in (select b.${quoted(by)} from ${main}))`,
    ),
  ];
  return `with page("id") as materialized (${page}) select json_array(${lists.join(', ')}) as "json"`;
}

/** Takes apart what the statement of `rowsSql` answers. */
export function rowsFrom(query: Query, json: string): Record<string, unknown>[] {
  const [rows = [], ...lists] = JSON.parse(json) as unknown[][][];
  const main = cellsOf(query.entity);
  const one = Object.entries(query.one ?? {}).map(([relation, { to, by }], place) => {
    const related = (lists[place] ?? []).map(cellsOf(to).decode);
    return { relation, by, rows: new Map(related.map((row) => [row.id, row])) };
  });
  const many = Object.entries(query.many ?? {}).map(([relation, { from }], place) => ({
    relation,
    place: main.names.length + place,
    decode: cellsOf(from).decode,
  }));
  return rows.map((list) => {
    const row = main.decode(list);
    for (const { relation, by, rows } of one) row[relation] = rows.get(row[by]) ?? null;
    for (const { relation, place, decode } of many) row[relation] = (list[place] as unknown[][]).map(decode);
    return row;
  });
}

function cells(entity: EntityName, alias: string, more: readonly string[] = []): string {
  const columns = Object.entries<Column>(entities[entity].columns).map(([name, { kind }]) =>
    kind === 'json' ? `json(${alias}.${quoted(name)})` : `${alias}.${quoted(name)}`,
  );
  return `json_array(${[...columns, ...more].join(', ')})`;
}

const ordered = (order: readonly (readonly [string, Direction])[]) =>
  order.map(([column, direction]) => `m.${quoted(column)}${direction === 'desc' ? ' desc' : ''}`).join(', ');
