import type { Direction, EntityName } from '../../../core/model/index.js';
import type { Query } from '../compile/matching.js';
import { physical, quoted, tableOf } from '../names.js';
import { columnsOf } from './columns.js';
import { followed, postgresDialect } from './dialect.js';
import type { Rows } from './session.js';

/**
 * Statements for rows with their relations: the rows, then one for each `one` relation (a record that many rows refer to
 * comes once) and one for each `many`. `page` is a table with the ids that are wanted, as the column `id`. Sent together
 * they take one trip, and half the time of a single statement that builds JSON.
 */
export function relationsSql(query: Query, page: string, prefix: string, ordered?: Ordered): string[] {
  const table = (entity: EntityName) => quoted(physical(prefix, tableOf(entity)));
  const rows = `${page} p ${followed(table(query.entity), 'p."id"')}`;
  const order = ordered === undefined ? '' : ` order by ${terms('b', query.order, ordered)}`;
  const referred = (column: string) => `(select distinct b.${quoted(column)} as "id" from ${rows}) r`;
  const one = Object.values(query.one ?? {}).map(
    ({ to, by }) => `select ${columnsOf(to).list('o')} from ${referred(by)} ${followed(table(to), 'r."id"', 'o')}`,
  );
  const many = Object.values(query.many ?? {}).map(({ from, by, on = 'id', order }) => {
    const source = on === 'id' ? `${page} r` : referred(on);
    // An offset, even of nothing, keeps the planner from taking the inner query apart.
    const each = `cross join lateral (select * from ${table(from)} m where m.${quoted(by)} = r."id" offset 0) m`;
    return `select ${columnsOf(from).list('m')} from ${source} ${each} order by ${terms('m', order, postgresDialect.ordered)}`;
  });
  return [`select ${columnsOf(query.entity).list('b')} from ${rows}${order}`, ...one, ...many];
}

const terms = (alias: string, order: Order, ordered: Ordered) =>
  order.map(([column, direction]) => ordered(`${alias}.${quoted(column)}`, direction)).join(', ');

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
