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
 * What the core needs of a database. All of it has to be there: nothing is optional, and nothing may be approximated.
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

  /** Carries out all of the batch or nothing of it. When it answers `done`, the change is durable and every reader sees it. */
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

  /** Forgets the events up to and including that number. */
  forgetEvents(upTo: number): Promise<void>;

  /** Gives back connections and files. Calls that are under way may still finish; later ones throw `StorageUnavailable`. */
  close(): Promise<void>;
}

/** The reading half of a storage: all that an operation sees of it. */
export type Reader = Pick<Storage, 'find' | 'load' | 'select' | 'count'>;

/** What a storage promises. The conformance suite tests each claim, and the opposite of each claim that is not made. */
export interface StorageCapabilities {
  readonly name: string;
  /** What was committed survives the end of the process, even a sudden one. */
  readonly durable: boolean;
  /** Several processes may use the same database at once. */
  readonly shared: boolean;
}

/** A record at a point of its life. The pair never names two different contents. */
export interface Stamp {
  readonly id: string;
  readonly version: number;
}

export interface Window {
  readonly offset: number;
  /** At most so many stamps; 0 only counts. */
  readonly limit: number;
  /** Asks for `total`, if it is at most this. */
  readonly countUpTo?: number;
}

export interface FoundPage {
  readonly stamps: readonly Stamp[];
  /** Whether records follow after the last stamp given. */
  readonly more: boolean;
  /** How many records match in all; absent if not asked for, or if there are more than `countUpTo`. */
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

/** A record that is still there at that version, or a query that matches nothing. */
export type Expectation = ExpectedVersion | ExpectedNone;

export interface ExpectedVersion extends Reference {
  readonly version: number;
}

export type ExpectedNone = { [Q in QueryName]: { readonly none: Q; readonly args: QueryArgs<Q> } }[QueryName];

export interface Reference {
  readonly entity: EntityName;
  readonly id: string;
}

/** A new record; its row has version 1. */
export type Insert = { [E in EntityName]: { readonly entity: E; readonly row: Row<E> } }[EntityName];

/**
 * A whole new row for the record at `row.version - 1`; `conflict` if the record is not at that version any more. Whoever
 * knows what the record is at that version may say so in `before`: a storage may then write only what differs. It holds at
 * least the columns of the entity.
 */
export type Replace = {
  [E in EntityName]: { readonly entity: E; readonly row: Row<E>; readonly before?: Row<E> };
}[EntityName];

/** Removal of the record at that version; `conflict` if it is not at that version any more. */
export type Remove = ExpectedVersion;

export type Committed =
  | { readonly done: true }
  /** An expectation failed: read again, decide again. */
  | { readonly conflict: Reference | { readonly none: QueryName } }
  /** Two records would share the values of this unique key. */
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
