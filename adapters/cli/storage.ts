import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Storage, StorageUnavailable } from '../../core/ports/index.js';
import type { Option } from './command.js';
import { Complaint } from './complaint.js';

/** Where a service keeps its records, as `--storage` names it. */
export type Place =
  | { readonly kind: 'memory' }
  | { readonly kind: 'sqlite'; readonly filename: string }
  | { readonly kind: 'postgres'; readonly url: string };

export const storageOption = {
  type: 'string',
  value: 'WHERE',
  help: 'memory, sqlite:FILE or postgres://…; sqlite:millrace.db if absent',
} as const satisfies Option;

/** Reads `--storage`: the only place that knows what may stand there. */
export function placeOf(text = 'sqlite:millrace.db'): Place {
  if (text === 'memory') return { kind: 'memory' };
  if (/^postgres(ql)?:\/\//.test(text)) return { kind: 'postgres', url: text };
  const [, filename = ''] = /^sqlite:(?:\/\/(?=\/))?(.+)$/s.exec(text) ?? [];
  if (filename === '') {
    throw new Complaint(`--storage must be memory, sqlite:FILE or postgres://…, not ${JSON.stringify(text)}`);
  }
  return { kind: 'sqlite', filename };
}

/** The storage at a place; only the driver that it needs is loaded. Nothing is touched before its first call. */
export async function storageAt(place: Place): Promise<Storage> {
  if (place.kind === 'memory') {
    const { memoryStorage } = await import('../memory/index.js');
    return memoryStorage();
  }
  const { knexStorage } = await import('../knex/index.js');
  if (place.kind === 'postgres') return knexStorage({ client: 'postgres', connection: place.url });
  return knexStorage({ client: 'sqlite', filename: place.filename });
}

/** What messages call a place; never with a password. */
export function nameOf(place: Exclude<Place, { kind: 'memory' }>): string {
  if (place.kind === 'sqlite') return place.filename;
  const [, address = ''] = /^\w+:\/\/(?:[^@/]*@)?([^?]*)/.exec(place.url) ?? [];
  return `the PostgreSQL database ${address}`;
}

/** Whether there is something already. A server says so itself when it is asked; what is in memory always begins anew. */
export const isThere = (place: Place): boolean =>
  place.kind === 'postgres' || (place.kind === 'sqlite' && existsSync(place.filename));

/** Whether the place is a file that has to be made, and in a directory that is there. */
export function isNewFile(place: Place): place is Extract<Place, { kind: 'sqlite' }> {
  if (place.kind !== 'sqlite' || place.filename === ':memory:' || existsSync(place.filename)) return false;
  const directory = dirname(place.filename);
  if (existsSync(directory)) return true;
  throw new Complaint(`Cannot use the SQLite database ${place.filename}: there is no directory ${directory}`);
}

/** Runs what needs the storage; that it cannot be used is nothing but a complaint. `name` is put for the file's own name. */
export async function complaining<T>(
  work: () => Promise<T>,
  aliases: Readonly<Record<string, string>> = {},
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error;
    const told = Object.entries(aliases).reduce((text, [from, to]) => text.replaceAll(from, to), error.message);
    throw new Complaint(told);
  }
}
