export type { KnexOptions, LentOptions, PostgresOptions, SqliteOptions } from './options.js';
export { recountStatements } from './recount.js';
export { knexStorage } from './storage.js';
