import type {
  CountedQueryName,
  CounterColumn,
  EntityName,
  QueryArgs,
  QueryName,
  QueryRow,
  Row,
  ScopeArgs,
  Timestamp,
} from '../model/index.js';

/**
 * The database that the core uses. Every method is required, and no result may be approximate.
 *
 * Expected outcomes are values. A storage throws only `StorageUnavailable`, if the database cannot be reached or does not
 * respond in time; the API then responds with 503. Any other exception is a bug.
 *
 * Ownership of results: they belong to the storage. It may return the same object, or the same part of an object, several times
 * and from different calls, and it may freeze it. A result does not change after it is returned. Callers never modify a result.
 * They never identify records or key a cache by reference, only by values (id, version, arguments).
 *
 * Ownership of arguments: callers must not modify them after the call, because a storage may store or freeze them. A batch
 * belongs to the storage from the call of `commit` on. The storage does not modify arguments either, because rows of a batch
 * may be parts of its earlier results.
 */
export interface Storage {
  readonly capabilities: StorageCapabilities;

  /** Makes the database ready: creates or migrates the schema. Several processes may call it at the same time. */
  prepare(): Promise<void>;

  /** The stamps of the matching records, in the query's order. Should use an index and read no whole rows. */
  find<Q extends QueryName>(query: Q, args: QueryArgs<Q>, window: Window): Promise<FoundPage>;

  /**
   * The rows with these ids and the relations that the query declares, in any order. An id without a record is left out, and
   * a repeated id returns one row. The query's filters do not apply.
   */
  load<Q extends QueryName>(query: Q, ids: readonly string[]): Promise<QueryRow<Q>[]>;

  /** The first `limit` matching rows with their relations, in the query's order: `find` and `load` in one call. */
  select<Q extends QueryName>(query: Q, args: QueryArgs<Q>, limit: number): Promise<QueryRow<Q>[]>;

  /**
   * The number of records in the query's scope, for each value of a column for which the query declares a counter. Values that
   * no record has are left out. The numbers are exact in every process as soon as a commit has returned. They are stored
   * and change in the commit, so that a call should cost one look-up, whatever the number of records.
   */
  count<Q extends CountedQueryName>(
    query: Q,
    args: ScopeArgs<Q>,
    by: CounterColumn<Q>,
  ): Promise<Readonly<Record<string, number>>>;

  /** Applies the batch completely or not at all. After `done`, the change is durable and every reader sees it. */
  commit(batch: Batch): Promise<Committed>;

  /**
   * The next number of a sequence, starting at 1, and greater than `above` if that is set. No number is returned twice, in any
   * process. Gaps are allowed (spec 2.4), so this is not part of a batch.
   */
  next(sequence: string, above?: number): Promise<number>;

  /**
   * Events with a sequence number above `after`, in order, at most `limit`. Once this has returned an event, no event with a
   * smaller number may appear later: a reader that resumes by number must not skip an event that was committed late.
   */
  events(after: number, limit: number): Promise<StoredEvent[]>;

  /** Deletes the events up to and including this number. */
  forgetEvents(upTo: number): Promise<void>;

  /** Closes connections and files. Pending calls may still finish; later calls throw `StorageUnavailable`. */
  close(): Promise<void>;
}

/** The methods of a storage that read. Operations get only these. */
export type Reader = Pick<Storage, 'find' | 'load' | 'select' | 'count'>;

/** The capabilities of a storage. The conformance suite tests each one, and tests the opposite if it is declared false. */
export interface StorageCapabilities {
  readonly name: string;
  /** Commits survive the end of the process, even if it is killed. */
  readonly durable: boolean;
  /** Several processes may use the same database at the same time. */
  readonly shared: boolean;
}

/** One version of a record. Different contents of a record never have the same version. */
export interface Stamp {
  readonly id: string;
  readonly version: number;
}

export interface Window {
  readonly offset: number;
  /** The largest number of stamps to return. With 0 there are no stamps, only `more` and `total`. */
  readonly limit: number;
  /** Requests `total`, if it is at most this number. */
  readonly countUpTo?: number;
}

export interface FoundPage {
  readonly stamps: readonly Stamp[];
  /** Whether more records follow the last returned stamp. */
  readonly more: boolean;
  /** The number of all matching records. Absent without `countUpTo`, or if it is greater than `countUpTo`. */
  readonly total?: number;
}

/**
 * One atomic change as plain data. Each record is at most once in `insert`, `replace`, `touch` and `remove` together.
 *
 * A storage checks the expectations first, inside the transaction. A record whose version is expected is locked until the end:
 * no other batch may change it. So an expectation of no record (`none`) holds until the end too, if every batch that could
 * insert a matching record expects a version of the same parent record.
 *
 * Then the storage applies `remove`, `replace`, `touch` and `insert`, in this order. A value of a unique key that one of them
 * frees may be used by another. Unique keys are checked when the whole batch is applied. The commit returns `conflict` for a
 * replacement if the record is not at the version before, for an insertion if the id exists, and for a touch if the record
 * does not exist.
 */
export interface Batch {
  readonly expect: readonly Expectation[];
  readonly insert: readonly Insert[];
  readonly replace: readonly Replace[];
  readonly touch: readonly Reference[];
  readonly remove: readonly Remove[];
  readonly events: readonly NewEvent[];
}

/** Expects that a record exists at a version, or that a query matches no record. */
export type Expectation = ExpectedVersion | ExpectedNone;

export interface ExpectedVersion extends Reference {
  readonly version: number;
}

export type ExpectedNone = { [Q in QueryName]: { readonly none: Q; readonly args: QueryArgs<Q> } }[QueryName];

export interface Reference {
  readonly entity: EntityName;
  readonly id: string;
}

/** A new record. Its row has version 1. */
export type Insert = { [E in EntityName]: { readonly entity: E; readonly row: Row<E> } }[EntityName];

/**
 * A whole new row for the record at `row.version - 1`. `conflict` if the record has another version or does not exist. `before`
 * is the row at that version, if the caller knows it: a storage may then write only the columns that differ. It has at least
 * the columns of the entity.
 */
export type Replace = {
  [E in EntityName]: { readonly entity: E; readonly row: Row<E>; readonly before?: Row<E> };
}[EntityName];

/** Removes the record at this version. `conflict` if the record has another version or does not exist. */
export type Remove = ExpectedVersion;

export type Committed =
  | { readonly done: true }
  /** An expectation failed: the caller loads and decides again. */
  | { readonly conflict: Reference | { readonly none: QueryName } }
  /** Two records would have the same values in this unique key. */
  | { readonly duplicate: UniqueKey };

export interface UniqueKey {
  readonly entity: EntityName;
  readonly key: string;
}

export interface NewEvent {
  /** `build.finished`, `job.scheduled`, `agent.stopped`, … */
  readonly type: string;
  readonly organization_id: string;
  readonly at: Timestamp;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface StoredEvent extends NewEvent {
  readonly sequence: number;
}

/** The database cannot be reached, or did not respond in time. The API responds with 503 and `Retry-After`. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
  /** Milliseconds after which a client may retry. The header `Retry-After` has them in seconds, rounded up. */
  readonly retryAfter: number;

  constructor(reason: string, options: { retryAfter?: number; cause?: unknown } = {}) {
    super(reason, { cause: options.cause });
    this.retryAfter = options.retryAfter ?? 1_000;
  }
}
