import test from 'ava';
import { type Filter, type QueryName, queryDefinition, queryNames } from '../../../core/model/index.js';
import { shapeOf } from '../compile/query-shape.js';
import { Connections } from './connections.js';
import { migrate } from './migrate.js';
import { QueryStatements } from './statements.js';

const prefix = 'plans_';
const connections = new Connections({ client: 'sqlite', filename: ':memory:' });
const statements = new QueryStatements(prefix);

test.before(() => migrate(connections, prefix));
test.after.always(() => connections.close());

const argument = (filter: Filter, count: number): unknown => {
  if ('anyOf' in filter) return Array.from({ length: count }, (_, index) => `value ${index}`);
  if ('entries' in filter)
    return Object.fromEntries(Array.from({ length: count }, (_, index) => [`key ${index}`, 'value']));
  return 'value';
};

const plan = async (sql: string): Promise<string> => {
  const rows = await connections.read((session) => session.all<{ detail: string }>(`explain query plan ${sql}`));
  return rows.map(({ detail }) => detail).join('\n');
};

/** How the page of a query is found when its scope and these filters are given, with so many values for each. */
const planOfPage = (name: QueryName, filters: readonly string[], count: number): Promise<string> => {
  const query = queryDefinition(name);
  const all = { ...query.scope, ...query.filters };
  const given = [...Object.keys(query.scope), ...filters].map((filter) => [
    filter,
    argument(all[filter] as Filter, count),
  ]);
  return plan(statements.find(name, shapeOf(query, Object.fromEntries(given)), false).sql);
};

/** How the records that many calls name at once are found; undefined if a call may name several. */
const planOfLookup = async (name: QueryName): Promise<string | undefined> => {
  const query = queryDefinition(name);
  const given = Object.entries(query.scope).map(([argumentName, filter]) => [argumentName, argument(filter, 1)]);
  const lookup = statements.findByUniqueKeys(name, shapeOf(query, Object.fromEntries(given)));
  return lookup && plan(lookup.text);
};

const ownIndexSearch = new RegExp(`SEARCH \\w+ USING (COVERING )?INDEX (sqlite_autoindex_)?${prefix}`);
/** Jobs and the like are read by a co-routine called `m`, whose rows are scanned; it has to search itself. */
const tableScan = /SCAN [beo]\b/;

for (const name of queryNames) {
  const { filters = {}, indexed = [], many = {} } = queryDefinition(name);
  test(`plans.${name}`, async (t) => {
    for (const given of [[], ...Object.keys(filters).map((filter) => [filter])]) {
      const one = await planOfPage(name, given, 1);
      t.regex(one, ownIndexSearch, given.join());
      t.notRegex(one, tableScan, given.join());
      t.notRegex(one, /TEMP B-TREE/, `${given.join()} sorts`);
      // Several values are walked one by one, so what is left to sort is a page of each and not everything that matches.
      const several = await planOfPage(name, given, 3);
      t.notRegex(several, tableScan, given.join());
      if (several.includes('TEMP B-TREE'))
        t.regex(several, /CORRELATED LIST SUBQUERY/, `${given.join()} sorts too much`);
    }
    for (const filter of indexed) {
      const column = Object.values(filters[filter] ?? {})[0];
      t.regex(await planOfPage(name, [filter], 1), new RegExp(`\\b${column}=\\?`), `${filter} has no index`);
    }
    const lookup = await planOfLookup(name);
    if (lookup !== undefined) {
      t.regex(lookup, ownIndexSearch);
      t.notRegex(lookup, tableScan);
      t.notRegex(lookup, /TEMP B-TREE/);
    }
    const load = await plan(statements.load(name));
    t.notRegex(load, tableScan);
    t.notRegex(load, /FOR ORDER BY/);
    t.is(load.match(/SEARCH m USING INDEX/g)?.length ?? 0, Object.keys(many).length);
  });
}
