import { type Column, type Direction, type EntityName, entities } from '../../../core/model/index.js';
import type { Query } from '../compile/query-shape.js';
import { rowCodecOf } from '../compile/row-codec.js';
import { physicalName, quoteIdentifier, tableOf } from '../identifiers.js';

/**
 * Selects rows with their relations as one JSON text, because the driver is slow per cell. The text is an array: the rows,
 * then one list for each `one` relation, with each record once. A `many` relation is one more cell at the end of its row.
 */
export function rowsSql(query: Query, page: string, prefix: string): string {
  const table = (entity: EntityName) => quoteIdentifier(physicalName(prefix, tableOf(entity)));
  const main = `page cross join ${table(query.entity)} b on b."id" = page."id"`;
  const many = Object.values(query.many ?? {}).map(
    ({ from, by, on, order }) =>
      `(select json_group_array(${cellsSql(from, 'm')}) from (select * from ${table(from)} m where m.${quoteIdentifier(by)} = b.${quoteIdentifier(on ?? 'id')} order by ${orderTerms(order)}) m)`,
  );
  const lists = [
    `(select json_group_array(${cellsSql(query.entity, 'b', many)}) from ${main})`,
    ...Object.values(query.one ?? {}).map(
      ({ to, by }) =>
        `(select json_group_array(${cellsSql(to, 'o')}) from ${table(to)} o where o."id" in (select b.${quoteIdentifier(by)} from ${main}))`,
    ),
  ];
  return `with page("id") as materialized (${page}) select json_array(${lists.join(', ')}) as "json"`;
}

/** Decodes the result of the statement of `rowsSql`. */
export function parseRows(query: Query, json: string): Record<string, unknown>[] {
  const [rows = [], ...lists] = JSON.parse(json) as unknown[][][];
  const main = rowCodecOf(query.entity);
  const one = Object.entries(query.one ?? {}).map(([relation, { to, by }], index) => {
    const related = (lists[index] ?? []).map(rowCodecOf(to).decode);
    return { relation, by, rows: new Map(related.map((row) => [row.id, row])) };
  });
  const many = Object.entries(query.many ?? {}).map(([relation, { from }], index) => ({
    relation,
    place: main.names.length + index,
    decode: rowCodecOf(from).decode,
  }));
  return rows.map((list) => {
    const row = main.decode(list);
    for (const { relation, by, rows } of one) row[relation] = rows.get(row[by]) ?? null;
    for (const { relation, place: index, decode } of many) row[relation] = (list[index] as unknown[][]).map(decode);
    return row;
  });
}

function cellsSql(entity: EntityName, alias: string, more: readonly string[] = []): string {
  const columns = Object.entries<Column>(entities[entity].columns).map(([name, { kind }]) =>
    kind === 'json' ? `json(${alias}.${quoteIdentifier(name)})` : `${alias}.${quoteIdentifier(name)}`,
  );
  return `json_array(${[...columns, ...more].join(', ')})`;
}

const orderTerms = (order: readonly (readonly [string, Direction])[]) =>
  order.map(([column, direction]) => `m.${quoteIdentifier(column)}${direction === 'desc' ? ' desc' : ''}`).join(', ');
