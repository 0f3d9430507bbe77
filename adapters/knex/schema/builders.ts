import { createRequire } from 'node:module';
import type { Knex, knex as makeKnex } from 'knex';

/** Knex is loaded when a statement is first built: importing it takes longer than all else of this package. */
const loadKnex = (): typeof makeKnex => createRequire(import.meta.url)('knex').knex;

/** A Knex instance without a connection: it only builds statements that our sessions send. It is made when first needed. */
export type Builder = () => Knex;

export const postgresBuilder = builderFor('pg');
export const sqliteBuilder = builderFor('sqlite3');

function builderFor(client: 'pg' | 'sqlite3'): Builder {
  let instance: Knex | undefined;
  return () => {
    // Names are quoted alike in both databases: SQLite keeps the text of a statement in its schema.
    instance ??= loadKnex()({
      client,
      useNullAsDefault: true,
      wrapIdentifier: (name) => (name === '*' ? name : `"${name}"`),
    });
    return instance;
  };
}
