import { type Column, type EntityName, entities } from '../../../core/model/index.js';
import type { Batch, Insert } from '../../../core/ports/index.js';
import { Deltas } from '../compile/deltas.js';
import { physical, quoted, tableOf } from '../names.js';
import { talliesOf } from '../schema/tallies.js';
import { castTypes, followed, postgresSpelling } from './dialect.js';
import type { Statement } from './session.js';
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
  /** Where records change or go, what they were is read, so it stands before the changes. */
  readonly first: readonly Statement[];
  /** Where records only come to be, nothing is read, and it stands at the end, so that others wait the least. */
  readonly last: readonly Statement[];
}

/** Each batch has at most one such statement, and takes its rows in their order, so no two wait for each other. */
export function tallied({ insert, replace, remove }: Batch, prefix: string, slot: number): Tallied {
  const coming = new Deltas();
  for (const { entity, row } of insert) coming.add(entity, row, 1);
  const { changes } = coming;
  const leaving = [...replace, ...remove].filter(({ entity }) => talliesOf(entity).size > 0);
  const changing = [...new Set(leaving.map(({ entity }) => entity))].sort();
  if (changes.length === 0 && changing.length === 0) return { first: [], last: [] };
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
    for (const [column, kind] of columnsOf(entity)) values.push(rows.map((row) => encoded(row[column] ?? null, kind)));
  }
  const statement = { text: textFor(prefix, changing), values };
  return changing.length === 0 ? { first: [], last: [statement] } : { first: [statement], last: [] };
}

type Row = Readonly<Record<string, unknown>>;

/** The new row; of a record that goes, only its id. */
const rowOf = (one: Insert | Batch['remove'][number]): Row => ('row' in one ? (one.row as Row) : { id: one.id });

/** The columns on which it depends where a record of the entity is counted. */
function columnsOf(entity: EntityName): [string, Column['kind']][] {
  const columns: Readonly<Record<string, Column>> = entities[entity].columns;
  const names = new Set([...talliesOf(entity).values()].flatMap(({ owner, column }) => [owner, column]));
  return [...names].map((name) => [name, columns[name]?.kind ?? 'text']);
}

const texts = new Map<string, string>();

/** The statement for changes of these entities; the same text whenever it is asked for. */
function textFor(prefix: string, changing: readonly EntityName[]): string {
  const key = [prefix, ...changing].join(' ');
  const text = texts.get(key) ?? written(prefix, changing);
  texts.set(key, text);
  return text;
}

function written(prefix: string, changing: readonly EntityName[]): string {
  const table = quoted(physical(prefix, 'tallies'));
  const coming = `unnest($2::uuid[], $3::text[], $4::text[], $5::bigint[]) as d("owner", "tally", "value", "count")`;
  let place = 6;
  const parts = changing.map((entity) => {
    const part = moved(entity, prefix, place);
    place += 1 + columnsOf(entity).length;
    return part;
  });
  const source =
    parts.length === 0
      ? `select "owner", "tally", "value", $1::bigint, "count" from ${coming}`
      : `select "owner", "tally", "value", $1::bigint, sum("count")::bigint from (${[`select * from ${coming}`, ...parts].join(' union all ')}) s group by 1, 2, 3 having sum("count") <> 0 order by 1, 2, 3`;
  return `insert into ${table} as t ("owner", "tally", "value", "slot", "count") ${source} on conflict ("owner", "tally", "value", "slot") do update set "count" = t."count" + excluded."count"`;
}

/**
 * Where records are counted so far and where they are from now on, of those for which it makes a difference. The version of
 * each was checked under a lock that this transaction holds, so what they were stays true until it changes them.
 */
function moved(entity: EntityName, prefix: string, first: number): string {
  const columns = columnsOf(entity);
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
