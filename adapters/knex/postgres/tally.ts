import { type Column, type EntityName, entities } from '../../../core/model/index.js';
import type { Batch, Insert } from '../../../core/ports/index.js';
import { Deltas } from '../compile/deltas.js';
import { physical, quoted, tableOf } from '../names.js';
import { talliesOf } from '../schema/tallies.js';
import { castTypes, followed, postgresSpelling } from './dialect.js';
import type { Piece } from './pieces.js';
import { encoded } from './values.js';

/**
 * Counters are spread over slots and summed up by whoever reads them: a commit holds the row of a counter until it is on the
 * disk, and with one row for each counter all builds that are made in a pipeline would stand in one line. Each connection
 * takes the next slot, the first one by chance: the ten that a process has by default never meet, and those of several
 * processes seldom. More slots would be more to sum up.
 */
export const slots = 12;

/** How the tallies change with a batch. */
export interface Tallied {
  readonly piece: Piece;
  /** What records were is read, so that it has to be done before they change. */
  readonly reads: boolean;
}

/** Each batch has at most one such piece, and takes its rows in their order, so no two wait for each other. */
export function tallied({ insert, replace, remove }: Batch, prefix: string, slot: number): Tallied | undefined {
  const known = new Deltas();
  for (const { entity, row } of insert) known.add(entity, row, 1);
  for (const { entity, row, before } of replace) {
    if (before === undefined) continue;
    known.add(entity, before, -1);
    known.add(entity, row, 1);
  }
  const { changes } = known;
  const unknown = [...replace.filter(({ before }) => before === undefined), ...remove];
  const leaving = unknown.filter(({ entity }) => talliesOf(entity).size > 0);
  const changing = [...new Set(leaving.map(({ entity }) => entity))].sort();
  if (changes.length === 0 && changing.length === 0) return undefined;
  const values: unknown[] = [
    slot,
    changes.map(({ owner }) => owner),
    changes.map(({ tally }) => tally),
    changes.map(({ value }) => value),
    changes.map(({ count }) => count),
  ];
  for (const entity of changing) {
    const rows = leaving.flatMap((one) => (one.entity === entity ? [rowOf(one)] : []));
    values.push(rows.map(({ id }) => id));
    for (const [column, kind] of countedColumnsOf(entity))
      values.push(rows.map((row) => encoded(row[column] ?? null, kind)));
  }
  const piece: Piece = {
    key: ['tally', ...changing].join(' '),
    values,
    text: (first, when = 'true') => written(prefix, changing, first, when),
  };
  return { piece, reads: changing.length > 0 };
}

type Row = Readonly<Record<string, unknown>>;

/** The new row; of a record that goes, only its id. */
const rowOf = (one: Insert | Batch['remove'][number]): Row => ('row' in one ? (one.row as Row) : { id: one.id });

/** The columns on which it depends where a record of the entity is counted. */
function countedColumnsOf(entity: EntityName): [string, Column['kind']][] {
  const columns: Readonly<Record<string, Column>> = entities[entity].columns;
  const names = new Set([...talliesOf(entity).values()].flatMap(({ owner, column }) => [owner, column]));
  return [...names].map((name) => [name, columns[name]?.kind ?? 'text']);
}

function written(prefix: string, changing: readonly EntityName[], first: number, when: string): string {
  const table = quoted(physical(prefix, 'tallies'));
  const slot = `$${first}::bigint`;
  const coming = `unnest($${first + 1}::uuid[], $${first + 2}::text[], $${first + 3}::text[], $${first + 4}::bigint[]) as d("owner", "tally", "value", "count")`;
  let place = first + 5;
  const parts = changing.map((entity) => {
    const part = moved(entity, prefix, place);
    place += 1 + countedColumnsOf(entity).length;
    return part;
  });
  const source =
    parts.length === 0
      ? `select "owner", "tally", "value", ${slot}, "count" from ${coming} where ${when}`
      : `select "owner", "tally", "value", ${slot}, sum("count")::bigint from (${[`select * from ${coming}`, ...parts].join(' union all ')}) s where ${when} group by 1, 2, 3 having sum("count") <> 0 order by 1, 2, 3`;
  return `insert into ${table} as t ("owner", "tally", "value", "slot", "count") ${source} on conflict ("owner", "tally", "value", "slot") do update set "count" = t."count" + excluded."count"`;
}

/**
 * Where records are counted so far and where they are from now on, of those for which it makes a difference. Whoever changes
 * them finds them at the version before, or undoes all of it, so what is read here is what they were until then.
 */
function moved(entity: EntityName, prefix: string, first: number): string {
  const columns = countedColumnsOf(entity);
  const names = ['id', ...columns.map(([name]) => name)];
  const kinds = ['id' as const, ...columns.map(([, kind]) => kind)];
  const given = kinds.map((kind, at) => `$${first + at}::${castTypes[kind]}[]`).join(', ');
  const row = (alias: string) => `(${columns.map(([name]) => `${alias}.${quoted(name)}`).join(', ')})`;
  const counted = [...talliesOf(entity)].flatMap(([tally, { owner, column, per }]) =>
    (['b', 'n'] as const).map(
      (alias) =>
        `(${alias}.${quoted(owner)}, '${tally}', ${postgresSpelling.counted(`${alias}.${quoted(column)}`, per)}, ${alias === 'b' ? -1 : 1})`,
    ),
  );
  const records = followed(quoted(physical(prefix, tableOf(entity))), 'n."id"');
  return `select m.* from unnest(${given}) as n(${names.map(quoted).join(', ')}) ${records} cross join lateral (values ${counted.join(', ')}) m("owner", "tally", "value", "count") where ${row('b')} is distinct from ${row('n')} and m."owner" is not null`;
}
