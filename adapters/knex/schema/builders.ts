import knex, { type Knex } from 'knex';

/** A Knex instance without a connection: it only builds statements that our sessions send. It is made when first needed. */
export type Builder = () => Knex;

export const postgresBuilder = builderFor('pg');
export const sqliteBuilder = builderFor('sqlite3');

function builderFor(client: 'pg' | 'sqlite3'): Builder {
  let instance: Knex | undefined;
  return () => {
    // Names are quoted alike in both databases: SQLite keeps the text of a statement in its schema.
    instance ??= knex({
      client,
      useNullAsDefault: true,
      wrapIdentifier: (name) => (name === '*' ? name : `"${name}"`),
    });
    return instance;
  };
}
