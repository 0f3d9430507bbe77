import { StorageUnavailable } from '../../../core/ports/index.js';

/** What went wrong in words, by the code of the error. Anything that is not named here is a bug and stays as it is. */
const errorMap: Readonly<Record<string, string>> = {
  // Connection errors of Node.
  ECONNREFUSED: 'the server does not accept connections',
  ECONNRESET: 'the connection was lost',
  EPIPE: 'the connection was lost',
  ETIMEDOUT: 'it did not answer in time',
  EHOSTUNREACH: 'its host cannot be reached',
  ENETUNREACH: 'its host cannot be reached',
  ENOTFOUND: 'its host is not known',
  EAI_AGAIN: 'its host is not known',
  ENOENT: 'there is no such socket',
  // Signing in.
  '28000': 'access is denied',
  '28P01': 'the password is wrong',
  '3D000': 'there is no such database',
  '42501': 'a privilege is missing',
  // A server in trouble, or on its way down or up.
  '57P01': 'the server is being shut down',
  '57P02': 'the server has crashed',
  '57P03': 'the server is starting',
  '53100': 'the disk is full',
  '53200': 'the server is out of memory',
  '53300': 'the server has too many connections',
  '57014': 'it did not answer in time',
  '25P03': 'a transaction was idle for too long',
  '25P04': 'it did not answer in time',
  '55P03': 'it did not answer in time',
  '25006': 'it can only be read: it may be a standby',
  // Not prepared.
  '42P01': 'its tables are missing: `prepare` makes them',
  '42703': 'its tables are not those of this release: `prepare` brings them up to date',
};

/** What the driver and the pool say without a code. */
const errorMessages: readonly (readonly [RegExp, string])[] = [
  [/^Connection terminated|not queryable/, 'the connection was lost'],
  [/^timeout expired|^Query read timeout/, 'it did not answer in time'],
  [/^SASL.*password must be a (non-empty )?string/, 'a password is needed'],
  [/^aborted$|^Unable to acquire a connection/, 'its connections are closed'],
  [/does not support SSL/, 'the server does not speak TLS'],
  [/self.signed|certificate/i, 'its certificate is not trusted'],
];

export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

const detailOf = (error: unknown, name: 'constraint' | 'message'): string => {
  const value =
    error instanceof Error && name in error ? (error as unknown as Record<string, unknown>)[name] : undefined;
  return typeof value === 'string' ? value : '';
};

/**
 * The transaction lost a race with another one and nothing of it was done: a deadlock, a failure to serialize, or a
 * prepared statement that is gone. Trying again is right.
 */
export const isTransient = (error: unknown): boolean =>
  ['40001', '40P01', '26000', '42P05'].includes(codeOf(error) ?? '') || isOutdatedPlan(error);

/** The server no longer knows our prepared statements, or knows them for a table that has changed. */
export const isPreparedStatementLost = (error: unknown): boolean =>
  ['26000', '42P05'].includes(codeOf(error) ?? '') || isOutdatedPlan(error);

const isOutdatedPlan = (error: unknown): boolean =>
  codeOf(error) === '0A000' && detailOf(error, 'message').includes('cached plan');

/** The name of the unique constraint or index that was violated. */
export const violatedConstraint = (error: unknown): string | undefined =>
  codeOf(error) === '23505' ? detailOf(error, 'constraint') : undefined;

/** Turns an error of the database into `StorageUnavailable`, whose message names the database and the reason. */
export function translateError(error: unknown, location: string): unknown {
  if (error instanceof StorageUnavailable) return error;
  const reason = reasonOf(error);
  return reason === undefined ? error : storageUnavailable(location, reason, error);
}

export const storageUnavailable = (location: string, reason: string, cause?: unknown): StorageUnavailable =>
  new StorageUnavailable(`Cannot use the PostgreSQL database ${location}: ${reason}`, { cause });

function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === 'KnexTimeoutError') return 'no connection became free in time';
  const code = codeOf(error) ?? '';
  const message = errorMap[code];
  if (code === '42501') return `a privilege is missing (${error.message.split('\n')[0]})`;
  if (message !== undefined) return message;
  if (code.startsWith('08')) return 'the connection was lost';
  if (code.startsWith('53') || code.startsWith('58'))
    return `the server is in trouble (${error.message.split('\n')[0]})`;
  if (isTransient(error)) return 'other transactions kept conflicting';
  // A host name with several addresses fails with one error for each of them.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).find((reason) => reason !== undefined);
  return errorMessages.find(([pattern]) => pattern.test(error.message))?.[1];
}
