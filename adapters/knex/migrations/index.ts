import { initial } from './0001-initial.js';
import { counters } from './0002-counters.js';
import type { Migration } from './migration.js';

/** All migrations, oldest first. Released ones are never changed: a new release appends. */
export const migrations: readonly Migration[] = [initial, counters];
