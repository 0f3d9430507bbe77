export type { KnexOptions, LentOptions, PostgresOptions, SqliteOptions } from './options.js';
export { knexStorage } from './storage.js';
