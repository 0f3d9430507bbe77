import { initial } from './0001-initial.js';
import { tallies } from './0002-tallies.js';
import type { Migration } from './migration.js';

/** All migrations, oldest first. Released ones are never changed: a new release appends. */
export const migrations: readonly Migration[] = [initial, tallies];
