import type { Storage } from '../../../../core/ports/index.js';
import { inSchema } from '../../../knex/postgres/throwaway.js';

/** The storage in a schema; the place is JSON with the connection and the schema. */
export function at(place: string): Storage {
  const { connection, schema } = JSON.parse(place) as { readonly connection: string; readonly schema: string };
  return inSchema(connection, schema);
}
