export type { ExternalKnexOptions, KnexOptions, PostgresOptions, SqliteOptions } from './options.js';
export { recountStatements } from './recount-statements.js';
export { knexStorage } from './storage.js';
export type { KnexTuning } from './tuning.js';
