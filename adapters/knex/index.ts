export type { ExternalKnexOptions, KnexOptions, PoolOptions, PostgresOptions, SqliteOptions } from './options.js';
export { recountStatements } from './recount-statements.js';
export { knexStorage } from './storage.js';
export type { KnexTuning } from './tuning.js';
