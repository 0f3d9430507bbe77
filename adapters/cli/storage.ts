import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Storage, StorageUnavailable } from '../../core/ports/index.js';
import type { Option } from './command.js';
import { UsageError } from './usage-error.js';

/** Where a service keeps its records, as `--storage` names it. */
export type StorageLocation =
  | { readonly kind: 'memory' }
  | { readonly kind: 'sqlite'; readonly filename: string }
  | { readonly kind: 'postgres'; readonly url: string };

export const storageOption = {
  type: 'string',
  value: 'WHERE',
  help: 'memory, sqlite:FILE or postgres://…; sqlite:millrace.db if absent',
} as const satisfies Option;

/** Reads `--storage`: the only place that knows what may stand there. */
export function parseStorageLocation(text = 'sqlite:millrace.db'): StorageLocation {
  if (text === 'memory') return { kind: 'memory' };
  if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text)) return { kind: 'postgres', url: text };
  const [, filename = ''] = /^sqlite:(?:\/\/(?=\/))?(.+)$/s.exec(text) ?? [];
  if (filename === '') {
    throw new UsageError(`--storage must be memory, sqlite:FILE or postgres://…, not ${JSON.stringify(text)}`);
  }
  return { kind: 'sqlite', filename };
}

/** The storage at a place; only the driver that it needs is loaded. Nothing is touched before its first call. */
export async function createStorage(location: StorageLocation): Promise<Storage> {
  if (location.kind === 'memory') {
    const { memoryStorage } = await import('../memory/index.js');
    return memoryStorage();
  }
  const { knexStorage } = await import('../knex/index.js');
  if (location.kind === 'postgres') return knexStorage({ client: 'postgres', connection: location.url });
  return knexStorage({ client: 'sqlite', filename: location.filename });
}

/** Whether there is something already that can be opened; a server tells by itself. */
export const databaseExists = (location: StorageLocation): boolean =>
  location.kind === 'postgres' || (location.kind === 'sqlite' && existsSync(location.filename));

/** What a place is called where people read it; a password is nobody's business. */
export function locationLabel(location: StorageLocation): string {
  if (location.kind === 'sqlite') return location.filename;
  if (location.kind === 'memory') return 'memory';
  const { host, pathname } = new URL(location.url);
  return `PostgreSQL at ${host}${pathname}`;
}

/** Whether the place is a file that has to be made, and in a directory that is there. */
export function isNewFile(location: StorageLocation): location is Extract<StorageLocation, { kind: 'sqlite' }> {
  if (location.kind !== 'sqlite' || location.filename === ':memory:' || existsSync(location.filename)) return false;
  const directory = dirname(location.filename);
  if (existsSync(directory)) return true;
  throw new UsageError(`Cannot use the SQLite database ${location.filename}: there is no directory ${directory}`);
}

/** Runs what needs the storage; that it cannot be used is nothing but a complaint. `name` is put for the file's own name. */
export async function withStorageUsageErrors<T>(
  work: () => Promise<T>,
  aliases: Readonly<Record<string, string>> = {},
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StorageUnavailable)) throw error;
    const message = Object.entries(aliases).reduce((text, [from, to]) => text.replaceAll(from, to), error.message);
    throw new UsageError(message);
  }
}
