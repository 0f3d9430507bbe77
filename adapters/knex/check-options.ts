import {
  anyFunction,
  type ChecksOf,
  checkOptions,
  flag,
  integerFrom,
  milliseconds,
  nested,
  nonEmptyText,
  type OptionCheck,
  type OptionChecks,
  oneOf,
  required,
} from '../../core/options-check.js';
import type { ExternalKnexOptions, KnexOptions, PoolOptions, PostgresOptions, SqliteOptions } from './options.js';
import type { KnexTuning } from './tuning.js';

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

const connection: OptionCheck = {
  expected: 'a postgres:// address, or the settings of a client of pg',
  accepts: (value) => (typeof value === 'string' && value !== '') || isObject(value),
};

const tablePrefix: OptionCheck = {
  expected: '1 to 31 lower-case letters, digits and underscores that begin with no digit',
  accepts: (value) => typeof value === 'string' && /^[a-z_][a-z0-9_]{0,30}$/.test(value),
};

/** Knex makes its instances and transactions as functions. */
const knex: OptionCheck = {
  expected: 'an instance of Knex or one of its transactions, with the client sqlite3 or pg',
  accepts: (value) =>
    ['sqlite3', 'pg'].includes((value as { client?: { driverName: string } } | null)?.client?.driverName ?? ''),
};

const tuning = nested({
  coalesceReads: flag,
  batchSequences: flag,
  maxPipelined: integerFrom(1),
  seekDeepPages: flag,
  groupCommits: flag,
  counterSlots: integerFrom(1),
} satisfies ChecksOf<KnexTuning>);

const common = { tablePrefix, tuning };
const behaviour = { prepare: flag, random: anyFunction, sleep: anyFunction };

/** The checks of the options, for each kind of database. */
export const knexOptionChecks: {
  readonly sqlite: ChecksOf<SqliteOptions>;
  readonly postgres: ChecksOf<PostgresOptions>;
  readonly external: ChecksOf<ExternalKnexOptions>;
} = {
  sqlite: {
    client: required(oneOf('sqlite', 'postgres')),
    filename: required(nonEmptyText),
    busyTimeout: milliseconds,
    readers: integerFrom(0),
    ...common,
  },
  postgres: {
    client: required(oneOf('sqlite', 'postgres')),
    connection: required(connection),
    pool: nested({
      min: integerFrom(0),
      max: integerFrom(1),
      acquireTimeout: milliseconds,
    } satisfies ChecksOf<PoolOptions>),
    replicas: {
      expected: `a list, each entry ${connection.expected}`,
      accepts: (value) => Array.isArray(value) && value.every(connection.accepts),
    },
    statementTimeout: milliseconds,
    ...behaviour,
    ...common,
  },
  external: { knex: required(knex), ...behaviour, ...common },
};

/** Throws a `TypeError` that names the first option that is unknown, missing or wrong for the chosen kind of database. */
export function checkKnexOptions(options: KnexOptions): void {
  checkOptions('knexStorage', options, checksFor(options));
}

function checksFor(options: KnexOptions): OptionChecks {
  if (!isObject(options)) return {};
  if ('knex' in options) return knexOptionChecks.external;
  return options.client === 'postgres' ? knexOptionChecks.postgres : knexOptionChecks.sqlite;
}
