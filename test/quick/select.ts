/** Patterns of tests that are quick and say most: no database server, no other process. */
const always: readonly string[] = [
  'dist/core/**/*.test.js',
  'dist/adapters/{memory,fake,client,junit,docs}/**/*.test.js',
  'dist/conformance/{bindings,report,runner}/*.test.js',
  'dist/conformance/service/coverage.test.js',
  'dist/conformance/service/combinations/{memory-in-process,table}.test.js',
  'dist/test/**/*.test.js',
];

/** The tests of an adapter that say most of it. Longer ones, such as query plans and outages, run when they are changed themselves. */
const ofAdapter: Readonly<Record<string, readonly string[]>> = {
  'adapters/knex/sqlite': ['dist/adapters/knex/sqlite*.test.js'],
  'adapters/knex/postgres': ['dist/adapters/knex/postgres.test.js'],
  'adapters/knex': ['dist/adapters/knex/*.test.js'],
  'adapters/http-shared': ['dist/adapters/{node,koa,fetch}/*.test.js'],
  'adapters/node': ['dist/adapters/node/*.test.js'],
  'adapters/koa': ['dist/adapters/koa/*.test.js'],
  'adapters/fetch': ['dist/adapters/fetch/*.test.js'],
  'adapters/cli': ['dist/adapters/cli/{arguments,commands,ready-message,serve,token}.test.js'],
};

/** What to run when these files, as paths from the root, were changed: patterns for AVA. */
export function testFilesFor(changed: readonly string[]): string[] {
  const chosen = new Set(always);
  for (const path of changed) {
    if (/\/(?!_)[^/]+\.test\.ts$/.test(path)) chosen.add(`dist/${path.replace(/\.ts$/, '.js')}`);
    const adapter = Object.keys(ofAdapter).find((folder) => path.startsWith(`${folder}/`));
    for (const pattern of ofAdapter[adapter ?? ''] ?? []) chosen.add(pattern);
  }
  return [...chosen];
}
