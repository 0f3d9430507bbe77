import type { Storage } from '../../../../core/ports/index.js';
import { storageInSchema } from '../../../knex/postgres/temporary-schemas.js';

/** The storage in a schema; the place is JSON with the connection and the schema. */
export function openAt(location: string): Storage {
  const { connection, schema } = JSON.parse(location) as { readonly connection: string; readonly schema: string };
  return storageInSchema(connection, schema);
}
