import test from 'ava';
import { declared, type Filter, queryNames } from '../../../core/model/index.js';
import { shapeOf } from '../compile/shape.js';
import { derivedSchema } from '../schema/derived.js';
import { Connections } from './connections.js';
import { migrate } from './migrate.js';
import type { Statement } from './session.js';
import { calling, Statements } from './statements.js';
import { type Database, freshDatabase } from './testing/_database.test.js';

const prefix = 'plans_';
const statements = new Statements(prefix);
const numbers = { limit: 31, offset: 0, place: 0 };
let database: Database;
let connections: Connections;

test.before(async () => {
  database = await freshDatabase();
  connections = new Connections({ client: 'postgres', connection: database.url });
  await migrate(connections, prefix);
  for (const name of ['builds', 'agents']) await fill(name, 3_000);
});
test.after.always(async () => {
  await connections?.close();
  await database?.drop();
});

/** Rows enough for the planner to tell one index from another. */
const fill = async (name: string, rows: number): Promise<void> => {
  const values: Readonly<Record<string, string>> = {
    id: `('01990000-0000-7000-8000-' || lpad(to_hex(n % 20), 12, '0'))::uuid`,
    text: `'value ' || n % 200`,
    integer: 'n',
    flag: 'n % 2 = 0',
    time: `timestamptz '2026-01-31 09:30:00Z' + n * interval '1 minute'`,
    json: `'{}'`,
  };
  const columns = Object.entries(derivedSchema().tables[name]?.columns ?? {}).map(([column, type]) =>
    column === 'id' ? values.id?.replace('n % 20', 'n') : values[type.replace('?', '')],
  );
  await database.query(`insert into "${prefix}${name}" select ${columns.join()} from generate_series(1, ${rows}) n`);
  await database.query(`analyze "${prefix}${name}"`);
};

/** As many values as told, of the kind of the column. */
const argument = (filter: Filter, count: number): unknown => {
  const values = (value: (place: number) => unknown) => Array.from({ length: count }, (_, place) => value(place));
  if ('entries' in filter)
    return Object.fromEntries(values((place) => [`key ${place}`, 'value']) as [string, string][]);
  const column = Object.values(filter)[0] as string;
  const value = /(^|_)id$/.test(column)
    ? (place: number) => `01990000-0000-7000-8000-00000000000${place}`
    : /_at$/.test(column)
      ? () => '2026-01-31T09:30:00.000Z'
      : column === 'number'
        ? (place: number) => place
        : /^(flaky|is_.*)$/.test(column)
          ? () => true
          : (place: number) => `value ${place}`;
  return 'anyOf' in filter ? values(value) : value(0);
};

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Node[];
}

const parts = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(parts)];

/** The parts of the plan that is made for all values at once, on a connection like any other of the storage. */
const plan = async ({ text, values = [] }: Statement): Promise<Node[]> => {
  const list = values.map((value) => {
    if (value === null) return 'null';
    return Array.isArray(value) ? `'{${value.map((one) => `"${one}"`).join()}}'` : `'${value}'`;
  });
  const once = true as const;
  const execute = `explain (format json) execute planned${list.length === 0 ? '' : `(${list.join()})`}`;
  const [, rows] = await connections.flight([
    { text: `prepare planned as ${text}`, once },
    { text: execute, once },
    { text: 'deallocate planned', once },
  ]);
  const [{ Plan }] = JSON.parse(rows?.[0]?.[0] ?? '') as [{ Plan: Node }];
  return parts(Plan);
};

const indexOf = (found: readonly Node[]) => found.filter((part) => part['Index Name'] !== undefined);

for (const name of queryNames) {
  const { scope, filters = {}, indexed = [], order } = declared(name);
  const all = { ...scope, ...filters };
  const argumentsFor = (given: readonly string[], count: number) =>
    Object.fromEntries(
      [...Object.keys(scope), ...given].map((filter) => [filter, argument(all[filter] as Filter, count)]),
    );
  const call = (given: readonly string[], count: number) => {
    const args = argumentsFor(given, count);
    return { args, shape: shapeOf(declared(name), args) };
  };

  test.serial(`plans.${name}`, async (t) => {
    for (const given of [[], ...Object.keys(filters).map((filter) => [filter])]) {
      for (const count of [1, 3]) {
        const { args, shape } = call(given, count);
        const told = `${given.join()} ${count}`;
        const statementsOf = [
          statements.find,
          statements.findDeep,
          statements.count,
          statements.select,
          statements.none,
        ];
        for (const make of statementsOf) {
          const statement = calling(make.call(statements, name, shape), { args, numbers });
          const types = (await plan(statement)).map((part) => part['Node Type']);
          t.false(
            types.some((type) => /Seq Scan|Bitmap|Hash|Merge Join/.test(type)),
            `${told}: ${types.join()}`,
          );
        }
        const each = statements.findEach(name, shape);
        if (each !== undefined) {
          const walked = await plan({ text: each.text, values: each.bind([args, args]) });
          const types = walked.map((part) => part['Node Type']);
          t.false(
            types.some((type) => /Seq Scan|Bitmap|Hash|Merge Join|Sort/.test(type)),
            `${told}, many at once: ${types.join()}`,
          );
          t.truthy(indexOf(walked)[0]?.['Index Cond'], `${told}, many at once`);
        }
        const page = calling(statements.find(name, shape), { args, numbers });
        const found = await plan(page);
        // Several values are walked one by one, so what is left to sort is a page of each and not everything that matches.
        const top = found.slice(0, found.findIndex((part) => part['Node Type'] === 'Nested Loop') + 1 || undefined);
        const sorts = found.filter((part) => part['Node Type'].includes('Sort'));
        t.true(sorts.length <= (count === 1 ? 0 : 1), `${told} sorts`);
        t.true(
          sorts.every((part) => top.includes(part)),
          `${told} sorts too much`,
        );
      }
    }
    for (const filter of indexed) {
      const column = Object.values(filters[filter] ?? {})[0];
      const { args, shape } = call([filter], 1);
      const walked = indexOf(await plan(calling(statements.find(name, shape), { args, numbers })));
      t.true(walked[0]?.['Index Cond']?.includes(`${column}`), `${filter} has no index`);
    }
    t.is(order.at(-1)?.[0], 'id');
    const load = await plan(statements.load(name, ['01990000-0000-7000-8000-000000000001']));
    const types = load.map((part) => part['Node Type']);
    t.false(
      types.some((type) => /Seq Scan|Bitmap|Hash|Merge Join/.test(type)),
      types.join(),
    );
  });
}
