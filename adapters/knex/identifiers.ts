import { createHash } from 'node:crypto';
import type { EntityName } from '../../core/model/index.js';

/** A name as SQL text. All names are ours or were checked when the storage was made, so none holds a quote. */
export const quoteIdentifier = (name: string): string => `"${name}"`;

/** The table of an entity: `accessToken` → `access_tokens`. */
export function tableOf(entity: EntityName): string {
  const words = entity.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  if (/[^aeiou]y$/.test(words)) return `${words.slice(0, -1)}ies`;
  return /(s|x|ch|sh)$/.test(words) ? `${words}es` : `${words}s`;
}

/** The side table that makes the entries of a JSON column searchable: `builds` and `meta_data` → `builds_meta_data`. */
export const entriesTableOf = (entity: EntityName, column: string): string => `${tableOf(entity)}_${column}`;

/** A table or index as it is called in the database: with the prefix, and short enough for PostgreSQL's 63 bytes. */
export function physicalName(prefix: string, name: string): string {
  const full = prefix + name;
  if (full.length <= 63) return full;
  return `${full.slice(0, 52)}_${createHash('sha256').update(full).digest('hex').slice(0, 10)}`;
}
