import { physicalName } from '../identifiers.js';
import { type SchemaDialect, sqlOf } from '../schema/ddl.js';
import type { Migration } from './migration.js';

/**
 * Statements around the table that says which migrations a database has seen. We do not use the migrations of Knex: they
 * take a lock as a row in a table of their own, which stays behind when a process is killed, and then every later start
 * fails until somebody deletes the row by hand. The locks that we take end with the transaction.
 */
export const migrationsTable = (prefix: string): string => physicalName(prefix, 'migrations');

/** Creates the table. */
export const createMigrationsTable = (prefix: string, { builder, types }: SchemaDialect): string[] =>
  sqlOf(
    builder().schema.createTable(migrationsTable(prefix), (table) => {
      table.specificType('version', `${types.integer} primary key`);
      table.specificType('name', 'text').notNullable();
    }),
  );

/** Reads the version of the newest migration that was carried out. */
export const readVersion = (prefix: string, { builder }: SchemaDialect): string =>
  builder()(migrationsTable(prefix)).max('version as version').toQuery();

/** Records that a migration was carried out. */
export const recordMigration = ({ version, name }: Migration, prefix: string, { builder }: SchemaDialect): string =>
  builder()(migrationsTable(prefix)).insert({ version, name }).toQuery();
