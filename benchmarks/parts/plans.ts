import { knexStorage } from '../../adapters/knex/index.js';
import { type Filter, type QueryName, queryDefinition, queryNames } from '../../core/model/index.js';

/** The settings of the storage's own connections: generic plans that use indexes. */
const settings = `set plan_cache_mode = force_generic_plan; set jit = off; set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off; set timezone = 'UTC'`;

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

/**
 * Runs every declared query through the port, with each of its filters, and checks the plans of all statements that were
 * prepared: each must find its rows by an index. Needs PostgreSQL 16, which explains statements without values.
 */
export async function countPlans(url: string): Promise<{ walked: number; others: string[] }> {
  const { default: knex } = await import('knex');
  const externalKnex = knex({ client: 'pg', connection: url, pool: { min: 1, max: 1, afterCreate: applySettings } });
  const storage = knexStorage({ knex: externalKnex });
  try {
    for (const name of queryNames) await runQueryVariants(storage, name);
    const { rows } = await externalKnex.raw<{ rows: { statement: string }[] }>(
      'select statement from pg_prepared_statements',
    );
    const others: string[] = [];
    let walked = 0;
    for (const { statement } of rows) {
      if (!/^\s*(select|with)/i.test(statement)) continue;
      const explained = await externalKnex.raw(
        `explain (generic_plan, format json) ${statement.replaceAll('?', '\\?')}`,
      );
      const [{ Plan }] = explained.rows[0]['QUERY PLAN'] as [{ Plan: PlanNode }];
      const nodes = flattenPlan(Plan).map((node) => `${node['Node Type']} ${node['Relation Name'] ?? ''}`);
      const scan = nodes.find((node) => /^(Seq Scan|Bitmap|Hash Join|Merge Join)/.test(node));
      if (scan === undefined) walked += 1;
      else others.push(`${scan}: ${statement.slice(0, 200)}`);
    }
    return { walked, others };
  } finally {
    await storage.close();
    await externalKnex.destroy();
  }
}

const flattenPlan = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(flattenPlan)];

function applySettings(client: { query(text: string): Promise<unknown> }, done: (error: Error | null) => void): void {
  client.query(settings).then(() => done(null), done);
}

async function runQueryVariants(storage: ReturnType<typeof knexStorage>, name: QueryName): Promise<void> {
  const { scope, filters = {} } = queryDefinition(name);
  const all = { ...scope, ...filters };
  for (const filterNames of [[], ...Object.keys(filters).map((filter) => [filter])]) {
    for (const count of [1, 3]) {
      const names = [...Object.keys(scope), ...filterNames];
      const args = Object.fromEntries(
        names.map((filter) => [filter, filterArgument(all[filter] as Filter, count)]),
      ) as never;
      await storage.find(name, args, { offset: 0, limit: 30, countUpTo: 10_000 });
      await storage.find(name, args, { offset: 5_000, limit: 30 });
      await storage.select(name, args, 2);
    }
  }
  await storage.load(name, ['01920000-0020-7000-8000-000000000001']);
}

/** Values of the type of the filter's column. */
function filterArgument(filter: Filter, count: number): unknown {
  const many = <T>(value: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => value(index));
  if ('entries' in filter) return Object.fromEntries(many((index) => [`key ${index}`, 'value'] as const));
  const column = Object.values(filter)[0] as string;
  const value = (index: number): unknown => {
    if (/(^|_)id$/.test(column)) return `01920000-0009-7000-8000-00000000000${index}`;
    if (/_at$/.test(column)) return '2024-01-31T09:30:00.000Z';
    if (column === 'number') return index + 1;
    return /^(flaky|is_.*)$/.test(column) ? true : `value ${index}`;
  };
  return 'anyOf' in filter ? many(value) : value(0);
}
