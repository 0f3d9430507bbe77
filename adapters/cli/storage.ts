import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Storage, StorageUnavailable } from '../../core/ports/index.js';
import type { Option } from './command.js';
import { UsageError } from './usage-error.js';

/** The storage that `--storage` names. */
export type StorageLocation =
  | { readonly kind: 'memory' }
  | { readonly kind: 'sqlite'; readonly filename: string }
  | { readonly kind: 'postgres'; readonly url: string };

export const storageOption = {
  type: 'string',
  value: 'WHERE',
  help: 'memory, sqlite:FILE or postgres://…; default: sqlite:millrace.db',
} as const satisfies Option;

/** Parses `--storage`. */
export function parseStorageLocation(text = 'sqlite:millrace.db'): StorageLocation {
  if (text === 'memory') return { kind: 'memory' };
  if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text)) return { kind: 'postgres', url: text };
  const [, filename = ''] = /^sqlite:(?:\/\/(?=\/))?(.+)$/s.exec(text) ?? [];
  if (filename === '') {
    throw new UsageError(`--storage must be memory, sqlite:FILE or postgres://…, not ${JSON.stringify(text)}`);
  }
  return { kind: 'sqlite', filename };
}

/** Creates the storage. Loads only the driver that it needs. Opens no file or connection before the first call. */
export async function createStorage(location: StorageLocation): Promise<Storage> {
  if (location.kind === 'memory') {
    const { memoryStorage } = await import('../memory/index.js');
    return memoryStorage();
  }
  const { knexStorage } = await import('../knex/index.js');
  if (location.kind === 'postgres') return knexStorage({ client: 'postgres', connection: location.url });
  return knexStorage({ client: 'sqlite', filename: location.filename });
}

/** Whether the database exists. For PostgreSQL, connecting shows that. */
export const databaseExists = (location: StorageLocation): boolean =>
  location.kind === 'postgres' || (location.kind === 'sqlite' && existsSync(location.filename));

/** The name of a location in messages, without the password. */
export function locationLabel(location: StorageLocation): string {
  if (location.kind === 'sqlite') return location.filename;
  if (location.kind === 'memory') return 'memory';
  const { host, pathname } = new URL(location.url);
  return `PostgreSQL at ${host}${pathname}`;
}

/** Whether the location is a file that does not exist yet. Throws `UsageError` if its directory does not exist. */
export function isNewFile(location: StorageLocation): location is Extract<StorageLocation, { kind: 'sqlite' }> {
  if (location.kind !== 'sqlite' || location.filename === ':memory:' || existsSync(location.filename)) return false;
  const directory = dirname(location.filename);
  if (existsSync(directory)) return true;
  throw new UsageError(
    `Cannot use the SQLite database ${location.filename}: the directory ${directory} does not exist`,
  );
}

/** Turns `StorageUnavailable` into `UsageError`. `aliases` replaces file names in the message. */
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
