import knex from 'knex';

/**
 * Knex instances without a connection: they only build the statements that our sessions send. Names are quoted alike for
 * both databases, since SQLite keeps the text of a statement in its schema.
 */
const builderFor = (client: 'pg' | 'sqlite3') =>
  knex({ client, useNullAsDefault: true, wrapIdentifier: (name) => (name === '*' ? name : `"${name}"`) });

export const postgresBuilder = builderFor('pg');
export const sqliteBuilder = builderFor('sqlite3');
