export type { KnexOptions, LentOptions, SqliteOptions } from './options.js';
export { knexStorage } from './storage.js';
