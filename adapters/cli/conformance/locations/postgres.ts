import type { Storage } from '../../../../core/ports/index.js';
import { storageInSchema } from '../../../knex/postgres/temporary-schemas.js';

/** Opens the storage in a schema. The location is JSON with `connection` and `schema`. */
export function openAt(location: string): Storage {
  const { connection, schema } = JSON.parse(location) as { readonly connection: string; readonly schema: string };
  return storageInSchema(connection, schema);
}
