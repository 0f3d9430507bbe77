import type { Direction, EntityName } from '../../../core/model/index.js';
import type { Query } from '../compile/matching.js';
import { physical, quoted, tableOf } from '../names.js';
import { columnsOf } from './columns.js';
import type { Rows } from './session.js';

/**
 * Statements for rows with their relations: the rows, then one for each `one` relation (a record that many rows refer to
 * comes once) and one for each `many`. `chosen` says of an id that its row is wanted. Sent together they take one trip,
 * and half the time of a single statement that builds JSON.
 */
export function relationsSql(query: Query, chosen: string, prefix: string, ordered?: Ordered): string[] {
  const table = (entity: EntityName) => quoted(physical(prefix, tableOf(entity)));
  const sorted = ({ alias, order }: { alias: string; order: Order }, by: Ordered) =>
    order.map(([column, direction]) => by(`${alias}.${quoted(column)}`, direction)).join(', ');
  const rows = `select ${columnsOf(query.entity).list('b')} from ${table(query.entity)} b where b."id" ${chosen}`;
  const referred = (column: string) =>
    `(select b.${quoted(column)} from ${table(query.entity)} b where b."id" ${chosen})`;
  const one = Object.values(query.one ?? {}).map(
    ({ to, by }) => `select ${columnsOf(to).list('o')} from ${table(to)} o where o."id" in ${referred(by)}`,
  );
  const many = Object.values(query.many ?? {}).map(({ from, by, on = 'id', order }) => {
    const wanted = on === 'id' ? chosen : `in ${referred(on)}`;
    const order_by = sorted({ alias: 'm', order }, directed);
    return `select ${columnsOf(from).list('m')} from ${table(from)} m where m.${quoted(by)} ${wanted} order by ${order_by}`;
  });
  const order = ordered === undefined ? '' : ` order by ${sorted({ alias: 'b', order: query.order }, ordered)}`;
  return [rows + order, ...one, ...many];
}

/** Puts together what the statements of `relationsSql` answer. */
export function rowsFrom(query: Query, [main = [], ...related]: readonly Rows[]): Record<string, unknown>[] {
  const { decode } = columnsOf(query.entity);
  const rows = main.map(decode);
  for (const [relation, { to, by }] of Object.entries(query.one ?? {})) {
    const found = new Map((related.shift() ?? []).map(columnsOf(to).decode).map((row) => [row.id, row]));
    for (const row of rows) row[relation] = found.get(row[by]) ?? null;
  }
  for (const [relation, { from, by, on = 'id' }] of Object.entries(query.many ?? {})) {
    const found = new Map<unknown, Record<string, unknown>[]>();
    for (const row of (related.shift() ?? []).map(columnsOf(from).decode)) {
      const before = found.get(row[by]);
      if (before === undefined) found.set(row[by], [row]);
      else before.push(row);
    }
    for (const row of rows) row[relation] = found.get(row[on]) ?? [];
  }
  return rows;
}

type Order = readonly (readonly [string, Direction])[];
type Ordered = (expression: string, direction: Direction) => string;

const directed: Ordered = (expression, direction) =>
  direction === 'asc' ? `${expression} nulls first` : `${expression} desc nulls last`;
