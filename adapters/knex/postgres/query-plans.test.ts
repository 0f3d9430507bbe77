import test from 'ava';
import { type Filter, queryDefinition, queryNames } from '../../../core/model/index.js';
import { type Database, freshDatabase } from '../../../test/support/postgres/database.js';
import { shapeOf } from '../compile/query-shape.js';
import { derivedSchema } from '../schema/derived-schema.js';
import { Connections } from './connections.js';
import { migrate } from './migrate.js';
import type { Statement } from './session.js';
import { bindStatement, QueryStatements } from './statements.js';

const prefix = 'plans_';
const statements = new QueryStatements(prefix);
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
  const values = (value: (index: number) => unknown) => Array.from({ length: count }, (_, index) => value(index));
  if ('entries' in filter)
    return Object.fromEntries(values((index) => [`key ${index}`, 'value']) as [string, string][]);
  const column = Object.values(filter)[0] as string;
  const value = /(^|_)id$/.test(column)
    ? (index: number) => `01990000-0000-7000-8000-00000000000${index}`
    : /_at$/.test(column)
      ? () => '2026-01-31T09:30:00.000Z'
      : column === 'number'
        ? (index: number) => index
        : /^(flaky|is_.*)$/.test(column)
          ? () => true
          : (index: number) => `value ${index}`;
  return 'anyOf' in filter ? values(value) : value(0);
};

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly Node[];
}

const planNodes = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(planNodes)];

/** The parts of the plan that is made for all values at once, on a connection like any other of the storage. */
const plan = async ({ text, values = [] }: Statement): Promise<Node[]> => {
  const list = values.map((value) => {
    if (value === null) return 'null';
    return Array.isArray(value) ? `'{${value.map((one) => `"${one}"`).join()}}'` : `'${value}'`;
  });
  const unprepared = true as const;
  const execute = `explain (format json) execute planned${list.length === 0 ? '' : `(${list.join()})`}`;
  const [, rows] = await connections.pipelined([
    { text: `prepare planned as ${text}`, unprepared },
    { text: execute, unprepared },
    { text: 'deallocate planned', unprepared },
  ]);
  const [{ Plan }] = JSON.parse(rows?.[0]?.[0] ?? '') as [{ Plan: Node }];
  return planNodes(Plan);
};

const indexNodes = (found: readonly Node[]) => found.filter((part) => part['Index Name'] !== undefined);

for (const name of queryNames) {
  const { scope, filters = {}, indexed = [], order } = queryDefinition(name);
  const all = { ...scope, ...filters };
  const argumentsFor = (given: readonly string[], count: number) =>
    Object.fromEntries(
      [...Object.keys(scope), ...given].map((filter) => [filter, argument(all[filter] as Filter, count)]),
    );
  const call = (given: readonly string[], count: number) => {
    const args = argumentsFor(given, count);
    return { args, shape: shapeOf(queryDefinition(name), args) };
  };

  test.serial(`plans.${name}`, async (t) => {
    for (const given of [[], ...Object.keys(filters).map((filter) => [filter])]) {
      for (const count of [1, 3]) {
        const { args, shape } = call(given, count);
        const label = `${given.join()} ${count}`;
        const statementsOf = [statements.find, statements.findDeep, statements.count, statements.select];
        const any = statements.any(name, shape, args);
        for (const statement of [
          ...statementsOf.map((make) => bindStatement(make.call(statements, name, shape), { args, numbers })),
          { text: any.text(1, 'true'), values: any.values },
        ]) {
          const types = (await plan(statement)).map((part) => part['Node Type']);
          t.false(
            types.some((type) => /Seq Scan|Bitmap|Hash|Merge Join/.test(type)),
            `${label}: ${types.join()}`,
          );
        }
        const lookup = statements.findByUniqueKeys(name, shape);
        if (lookup !== undefined) {
          const walked = await plan({ text: lookup.text, values: lookup.bind([args, args]) });
          const types = walked.map((part) => part['Node Type']);
          t.false(
            types.some((type) => /Seq Scan|Bitmap|Hash|Merge Join|Sort/.test(type)),
            `${label}, many at once: ${types.join()}`,
          );
          t.truthy(indexNodes(walked)[0]?.['Index Cond'], `${label}, many at once`);
        }
        const page = bindStatement(statements.find(name, shape), { args, numbers });
        const found = await plan(page);
        // Several values are walked one by one, so what is left to sort is a page of each and not everything that matches.
        const top = found.slice(0, found.findIndex((part) => part['Node Type'] === 'Nested Loop') + 1 || undefined);
        const sorts = found.filter((part) => part['Node Type'].includes('Sort'));
        t.true(sorts.length <= (count === 1 ? 0 : 1), `${label} sorts`);
        t.true(
          sorts.every((part) => top.includes(part)),
          `${label} sorts too much`,
        );
      }
    }
    for (const filter of indexed) {
      const column = Object.values(filters[filter] ?? {})[0];
      const { args, shape } = call([filter], 1);
      const walked = indexNodes(await plan(bindStatement(statements.find(name, shape), { args, numbers })));
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
