import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { StorageUnavailable } from '../../../core/ports/index.js';

/** What SQLite says when the file or its disk is in trouble, in words; anything else is a bug and stays as it is. */
const errorMap: Readonly<Record<string, string>> = {
  SQLITE_BUSY: 'another process kept it locked for too long',
  SQLITE_LOCKED: 'it is locked',
  SQLITE_IOERR: 'it could not be read or written',
  SQLITE_FULL: 'the disk is full',
  SQLITE_READONLY: 'it cannot be written to',
  SQLITE_CORRUPT: 'its contents are damaged',
  SQLITE_NOTADB: 'it is not a SQLite database',
  SQLITE_PERM: 'access is denied',
  SQLITE_AUTH: 'access is denied',
};

export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** Another connection holds the lock; trying again may help. */
export const isBusy = (error: unknown): boolean => ['SQLITE_BUSY', 'SQLITE_LOCKED'].includes(codeOf(error) ?? '');

/** The columns named by a failed unique constraint: `table.column, table.column`. */
export function violatedColumns(error: unknown): string | undefined {
  if (codeOf(error) !== 'SQLITE_CONSTRAINT' || !(error instanceof Error)) return undefined;
  return /UNIQUE constraint failed: (.*)$/.exec(error.message)?.[1];
}

/** Turns trouble with the database into `StorageUnavailable`, in one line that names the file. */
export function translateError(error: unknown, location: string): unknown {
  if (error instanceof StorageUnavailable) return error;
  const code = codeOf(error);
  if (code === 'SQLITE_CANTOPEN') return storageUnavailable(location, openFailureReason(location), error);
  const message = code === undefined ? undefined : errorMap[code];
  if (message !== undefined) return storageUnavailable(location, message, error);
  if (error instanceof Error && error.name === 'KnexTimeoutError') {
    return storageUnavailable(location, 'no connection became free in time', error);
  }
  // What Knex and its pool say to those who wait for a connection while it is closed.
  if (error instanceof Error && /^(aborted|Unable to acquire a connection)$/.test(error.message)) {
    return storageUnavailable(location, 'its connections are closed', error);
  }
  return error;
}

export const storageUnavailable = (location: string, reason: string, cause?: unknown): StorageUnavailable =>
  new StorageUnavailable(`Cannot use the SQLite database ${location}: ${reason}`, { cause });

function openFailureReason(filename: string): string {
  const directory = dirname(filename);
  if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory()) return `there is no directory ${directory}`;
  if (statSync(filename, { throwIfNoEntry: false })?.isDirectory()) return 'it is a directory';
  return 'it cannot be opened';
}
