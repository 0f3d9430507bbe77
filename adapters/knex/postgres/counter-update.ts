import { type Column, type EntityName, entities } from '../../../core/model/index.js';
import type { Batch, Insert } from '../../../core/ports/index.js';
import { CounterDeltas } from '../compile/counter-deltas.js';
import { physicalName, quoteIdentifier, tableOf } from '../identifiers.js';
import { countersOf } from '../schema/counters.js';
import { castTypes, joinById, postgresSchemaDialect } from './dialect.js';
import type { SqlFragment } from './sql-fragments.js';
import { encodeValue } from './values.js';

/**
 * The change of the counters that follows from a batch. It locks the counter rows in one order, so that two batches
 * cannot deadlock.
 */
export function counterUpdate(
  { insert, replace, remove }: Batch,
  prefix: string,
  slot: number,
): SqlFragment | undefined {
  const deltas = new CounterDeltas();
  for (const { entity, row } of insert) deltas.add(entity, row, 1);
  for (const { entity, row, before } of replace) {
    if (before === undefined) continue;
    deltas.add(entity, before, -1);
    deltas.add(entity, row, 1);
  }
  const { changes } = deltas;
  const withoutBefore = [...replace.filter(({ before }) => before === undefined), ...remove];
  const uncounted = withoutBefore.filter(({ entity }) => countersOf(entity).size > 0);
  const affectedEntities = [...new Set(uncounted.map(({ entity }) => entity))].sort();
  if (changes.length === 0 && affectedEntities.length === 0) return undefined;
  const values: unknown[] = [
    slot,
    changes.map(({ owner }) => owner),
    changes.map(({ counter }) => counter),
    changes.map(({ value }) => value),
    changes.map(({ count }) => count),
  ];
  for (const entity of affectedEntities) {
    const rows = uncounted.flatMap((one) => (one.entity === entity ? [rowOf(one)] : []));
    values.push(rows.map(({ id }) => id));
    for (const [column, kind] of countedColumnsOf(entity))
      values.push(rows.map((row) => encodeValue(row[column] ?? null, kind)));
  }
  return {
    key: ['tally', ...affectedEntities].join(' '),
    values,
    text: (firstParameter, condition) => buildSql(prefix, affectedEntities, firstParameter, condition),
  };
}

type Row = Readonly<Record<string, unknown>>;

/** The new row; only the id of a record that is removed. */
const rowOf = (one: Insert | Batch['remove'][number]): Row => ('row' in one ? (one.row as Row) : { id: one.id });

/** The columns that decide in which counters a record of the entity is counted. */
function countedColumnsOf(entity: EntityName): [string, Column['kind']][] {
  const columns: Readonly<Record<string, Column>> = entities[entity].columns;
  const names = new Set([...countersOf(entity).values()].flatMap(({ owner, column }) => [owner, column]));
  return [...names].map((name) => [name, columns[name]?.kind ?? 'text']);
}

function buildSql(
  prefix: string,
  affectedEntities: readonly EntityName[],
  firstParameter: number,
  condition: string,
): string {
  const table = quoteIdentifier(physicalName(prefix, 'tallies'));
  const slot = `$${firstParameter}::bigint`;
  const deltasTable = `unnest($${firstParameter + 1}::uuid[], $${firstParameter + 2}::text[], $${firstParameter + 3}::text[], $${firstParameter + 4}::bigint[]) as d("owner", "tally", "value", "count")`;
  let nextParameter = firstParameter + 5;
  const parts = affectedEntities.map((entity) => {
    const part = movedCountsSql(entity, prefix, nextParameter);
    nextParameter += 1 + countedColumnsOf(entity).length;
    return part;
  });
  const source =
    parts.length === 0
      ? `select "owner", "tally", "value", ${slot}, "count" from ${deltasTable} where ${condition}`
      : `select "owner", "tally", "value", ${slot}, sum("count")::bigint from (${[`select * from ${deltasTable}`, ...parts].join(' union all ')}) s where ${condition} group by 1, 2, 3 having sum("count") <> 0 order by 1, 2, 3`;
  return `insert into ${table} as t ("owner", "tally", "value", "slot", "count") ${source} on conflict ("owner", "tally", "value", "slot") do update set "count" = t."count" + excluded."count"`;
}

/**
 * Selects -1 for each counter in which a changed record was counted, and +1 for each in which it is counted now. The rows read
 * here are those before the change: the batch rolls back if a record is not at its expected version.
 */
function movedCountsSql(entity: EntityName, prefix: string, firstParameter: number): string {
  const columns = countedColumnsOf(entity);
  const names = ['id', ...columns.map(([name]) => name)];
  const kinds = ['id' as const, ...columns.map(([, kind]) => kind)];
  const parameterArrays = kinds.map((kind, index) => `$${firstParameter + index}::${castTypes[kind]}[]`).join(', ');
  const row = (alias: string) => `(${columns.map(([name]) => `${alias}.${quoteIdentifier(name)}`).join(', ')})`;
  const counterValues = [...countersOf(entity)].flatMap(([counter, { owner, column, bucket }]) =>
    (['b', 'n'] as const).map(
      (alias) =>
        `(${alias}.${quoteIdentifier(owner)}, '${counter}', ${postgresSchemaDialect.counterValue(`${alias}.${quoteIdentifier(column)}`, bucket)}, ${alias === 'b' ? -1 : 1})`,
    ),
  );
  const records = joinById(quoteIdentifier(physicalName(prefix, tableOf(entity))), 'n."id"');
  return `select m.* from unnest(${parameterArrays}) as n(${names.map(quoteIdentifier).join(', ')}) ${records} cross join lateral (values ${counterValues.join(', ')}) m("owner", "tally", "value", "count") where ${row('b')} is distinct from ${row('n')} and m."owner" is not null`;
}
