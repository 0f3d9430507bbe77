/** Errors as values, and the one place where they become responses. */
const errors = ['core/errors'];

/** How options are checked: adapters check theirs as the core does. */
const checks = 'core/options-check.ts';

/** What the conformance suite may know of the core. */
const publicCore = ['core/index.ts', 'core/ports/index.ts', 'core/model/index.ts'];

/**
 * What each part of the project may import of the others: folders with all that is in them, or single files. A part may always import
 * itself. Tests and what serves development only (`isDevelopment`) may import everything.
 */
export const layers: Readonly<Record<string, readonly string[]>> = {
  // The core. Its outer layers may import the inner ones, never the other way round.
  'core/model': ['core/machines'],
  'core/machines': ['core/model'],
  'core/ports': ['core/model'],
  'core/schema': ['core/model'],
  'core/auth': ['core/model', 'core/ports', 'core/schema'],
  'core/cache': [...errors, 'core/model', 'core/ports'],
  'core/representations': ['core/machines', 'core/model', 'core/ports', 'core/schema'],
  'core/commands': [
    ...[...errors, 'core/auth', 'core/cache', 'core/machines', 'core/model', 'core/ports'],
    ...['core/representations', 'core/schema'],
  ],
  'core/runtime': [
    ...[...errors, 'core/auth', 'core/commands', 'core/machines', 'core/model', 'core/ports', 'core/schema'],
  ],
  'core/provisioning': [
    ...[checks, ...errors, 'core/auth', 'core/commands', 'core/machines', 'core/model', 'core/ports'],
    ...['core/representations', 'core/runtime', 'core/schema'],
  ],
  'core/operations': [
    ...[...errors, 'core/auth', 'core/cache', 'core/commands', 'core/http', 'core/machines', 'core/model'],
    ...['core/ports', 'core/representations', 'core/schema'],
  ],
  'core/http': [
    ...[...errors, 'core/commands', 'core/operations', 'core/ports', 'core/representations'],
    'core/schema',
  ],
  core: ['core'],

  'adapters/memory': [checks, 'core/model', 'core/ports'],
  'adapters/knex': [checks, 'core/model', 'core/ports'],
  'adapters/http-shared': [checks, 'core/ports'],
  'adapters/node': [checks, 'core/ports', 'adapters/http-shared'],
  'adapters/koa': [checks, 'core/ports', 'adapters/http-shared', 'adapters/node'],
  'adapters/fetch': [checks, 'core/ports', 'adapters/http-shared', 'adapters/node'],
  'adapters/docs': [checks, 'core/ports'],
  'adapters/junit': [checks, 'core/runtime', 'core/schema'],
  'adapters/client': [checks, 'core/index.ts', 'core/operations'],
  'adapters/fake': ['core', 'adapters/memory'],
  'adapters/cli': ['core', 'adapters', 'conformance'],

  // The suite judges by its own description of the API (`conformance/api`), its own models and messages. Of the core it knows the public
  // entry, the ports, and the entities and declared queries that the port of the storage speaks of.
  'conformance/api': [],
  'conformance/arbitraries': [...publicCore, 'conformance'],
  'conformance/storage': [...publicCore, 'conformance'],
  'conformance/transport': [...publicCore, 'conformance'],
  'conformance/runner': [...publicCore, 'conformance'],
  'conformance/report': ['conformance'],
  'conformance/bindings': ['conformance'],
  'conformance/service': [
    ...[...publicCore, 'conformance'],
    // The manual clock and the seeded ids that every service of a case gets.
    ...['adapters/fake/manual-clock.ts', 'adapters/fake/seeded-ids.ts'],
  ],
  // Its own records have random names.
  'conformance/black-box': [...publicCore, 'core/system.ts', 'conformance'],
  conformance: ['conformance'],
};

/** Packages that only some places may import; those that are not here everybody may. */
export const packagePlaces: Readonly<Record<string, readonly string[]>> = {
  tsyringe: ['core/tsyringe.cts'],
  'reflect-metadata': ['core/tsyringe.cts'],
  '@hapi/boom': errors,
  rou3: ['core/http/router.ts'],
  typebox: ['core/schema', 'conformance/api'],
  uuid: ['core/system.ts', 'adapters/fake'],
  knex: ['adapters/knex'],
  sqlite3: ['adapters/knex'],
  pg: ['adapters/knex'],
  koa: ['adapters/koa'],
  'fast-xml-parser': ['adapters/junit'],
  'cli-progress': ['adapters/cli'],
  'fast-check': ['conformance'],
  ava: ['conformance/bindings'],
  ajv: [],
  'ajv-formats': [],
};

/** What is not in the package: tests, what they share, and what is run by hand. */
export const isDevelopment = (file: string): boolean =>
  /\.test(\.worker)?\.ts$/.test(file) || developmentFolders.some((folder) => isIn(file, folder));

const developmentFolders = [
  ...['test', 'examples', 'benchmarks', 'conformance/mutants', 'conformance/service/cache-coherence'],
  ...['conformance/service/combinations', 'conformance/service/recording'],
];

export const isIn = (file: string, place: string): boolean => file === place || file.startsWith(`${place}/`);
