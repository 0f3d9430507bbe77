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
 * What the core needs from a database. Every method is required, and no result may be approximate.
 *
 * Expected outcomes are values. The only thing a storage throws is `StorageUnavailable`, when the database cannot be
 * reached or does not answer in time; the caller then answers 503. Anything else that is thrown is a bug.
 *
 * Who owns what: results belong to the storage, which may return the same object twice, in whole or in part, for whatever was
 * asked, and may freeze it. Callers never modify a result, and never tell records apart or cache anything by reference: what is
 * cached is keyed by values (id, version, arguments). A result does not change once it is returned. Arguments belong to the
 * caller until the call, and must not be modified after it: a storage may keep or freeze them, and it owns a batch from
 * `commit` on. The storage does not modify them either, since rows of a batch may be parts of its earlier results.
 */
export interface Storage {
  readonly capabilities: StorageCapabilities;

  /** Makes the database ready: creates or migrates the schema. Several processes may call it at the same time. */
  prepare(): Promise<void>;

  /** Stamps of the matching records in the query's order. Should cost an index scan, and read no whole rows. */
  find<Q extends QueryName>(query: Q, args: QueryArgs<Q>, window: Window): Promise<FoundPage>;

  /**
   * Rows by id with the relations that the query declares, in any order. Absent ids are left out, repeated ones given
   * once; the query's filters play no part.
   */
  load<Q extends QueryName>(query: Q, ids: readonly string[]): Promise<QueryRow<Q>[]>;

  /** The first `limit` matching rows with their relations, in the query's order: `find` and `load` in one trip. */
  select<Q extends QueryName>(query: Q, args: QueryArgs<Q>, limit: number): Promise<QueryRow<Q>[]>;

  /**
   * How many records are in the query's scope, told apart by the values of a column by which it is tallied. Values that no
   * record has are left out. Exact, in every process, as soon as a commit is answered: what is counted changes with the
   * commit, and should cost a look-up however many records there are.
   */
  count<Q extends CountedQueryName>(
    query: Q,
    args: ScopeArgs<Q>,
    by: CounterColumn<Q>,
  ): Promise<Readonly<Record<string, number>>>;

  /** Applies the batch completely or not at all. After `done`, the change is durable and every reader sees it. */
  commit(batch: Batch): Promise<Committed>;

  /**
   * The next number of a sequence, from 1, and greater than `above` if that is given. Never the same twice, in any process;
   * gaps are allowed (spec 2.4), so it stands outside every batch.
   */
  next(sequence: string, above?: number): Promise<number>;

  /**
   * Events with a sequence number above `after`, in order, at most `limit`. Once an event has been read here, no event
   * with a smaller number may ever appear: a reader that resumes by number must not skip one that was committed late.
   */
  events(after: number, limit: number): Promise<StoredEvent[]>;

  /** Deletes the events up to and including this number. */
  forgetEvents(upTo: number): Promise<void>;

  /** Closes connections and files. Pending calls may still finish; later calls throw `StorageUnavailable`. */
  close(): Promise<void>;
}

/** The methods of a storage that read. Operations get only these. */
export type Reader = Pick<Storage, 'find' | 'load' | 'select' | 'count'>;

/** The capabilities of a storage. The conformance suite tests each one, and for one that is false it tests the opposite. */
export interface StorageCapabilities {
  readonly name: string;
  /** Commits survive the end of the process, also if it is killed. */
  readonly durable: boolean;
  /** Several processes may use the same database at the same time. */
  readonly shared: boolean;
}

/** One version of a record. Two different contents never have the same id and version. */
export interface Stamp {
  readonly id: string;
  readonly version: number;
}

export interface Window {
  readonly offset: number;
  /** The most stamps to return. 0 returns only the counts. */
  readonly limit: number;
  /** Requests `total` if it is at most this number. */
  readonly countUpTo?: number;
}

export interface FoundPage {
  readonly stamps: readonly Stamp[];
  /** Whether more records follow the last returned stamp. */
  readonly more: boolean;
  /** The number of all matching records. Absent without `countUpTo`, or if there are more than that. */
  readonly total?: number;
}

/**
 * One atomic change as plain data. No record stands in it twice among `insert`, `replace`, `touch` and `remove`.
 *
 * Expectations are asked first, inside the transaction. A record with an expectation `at` is held until the end (no other
 * batch may change it), so a `none` can be relied on if everyone who could add a matching record expects the same parent.
 * Then come `remove`, `replace`, `touch`, `insert`: a unique key freed by one may be taken by the other. Keys are unique
 * when the batch is done. A replacement that moves away from a version, an insertion whose id exists, or a touch of a
 * record that is gone, is a conflict.
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
 * A whole new row for the record at `row.version - 1`; `conflict` if the record is not at that version any more. Whoever
 * knows what the record is at that version may say so in `before`: a storage may then write only what differs. It holds at
 * least the columns of the entity.
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
  /** Two records would have the same values of this unique key. */
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

/** The database cannot be reached, or did not answer in time. Answered with 503 and `Retry-After`. */
export class StorageUnavailable extends Error {
  override readonly name = 'StorageUnavailable';
  /** Milliseconds after which a client may try again. The header `Retry-After` has them in seconds, rounded up. */
  readonly retryAfter: number;

  constructor(reason: string, options: { retryAfter?: number; cause?: unknown } = {}) {
    super(reason, { cause: options.cause });
    this.retryAfter = options.retryAfter ?? 1_000;
  }
}
