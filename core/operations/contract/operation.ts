import type { RenderCache } from '../../cache/index.js';
import type { Parameters, ParameterValues } from '../../http/parameters.js';
import type { Method } from '../../http/router.js';
import type { QueryArgs, QueryName, QueryRow, Timestamp } from '../../model/index.js';
import type { Batch, Caller, Right, Stamp, Storage } from '../../ports/index.js';
import type { Refusal } from '../../refusal.js';
import type { Links } from '../../representations/links.js';
import type { Infer, Schema } from '../../schema/schema.js';
import type { Declared } from './declared.js';
import type { PathParameters } from './resolvers.js';

/** Scopes of access tokens (spec 5.4). */
export const scopes = [
  'read_agents',
  'write_agents',
  'read_builds',
  'write_builds',
  'read_clusters',
  'write_clusters',
  'read_teams',
  'view_teams',
  'write_teams',
  'read_suites',
] as const;
export type Scope = (typeof scopes)[number];

/** The reading half of a storage: all that an operation sees of it. */
export type Reader = Pick<Storage, 'find' | 'load' | 'select' | 'count'>;

/** Choices of the host that operations depend on. */
export interface Rules {
  /** Whether a cancel ends a build at once, or lets the running jobs report first (decisions 7). */
  readonly cancellation: 'immediate' | 'graceful';
  /** Seconds without a sign of life after which an agent counts as lost. */
  readonly agentsLostAfter: number;
}

/** What an operation may use besides its input. */
export interface OperationContext {
  readonly reader: Reader;
  readonly links: Links;
  readonly renderCache: RenderCache;
  readonly rules: Rules;
  /** The next number of a sequence (`Storage.next`). */
  next(sequence: string): Promise<number>;
  now(): Timestamp;
}

/** A request that has passed authentication, scope, path and validation. */
export interface RequestContext<At = unknown, Query = unknown, Input = unknown> extends OperationContext {
  readonly caller: Caller;
  /** The records that the path names. */
  readonly records: At;
  readonly query: Query;
  readonly input: Input;
  may(right: Right): Promise<boolean>;
  /** Whether the client has closed its connection, so that costly work for it can be left out. */
  isAborted(): boolean;
}

/** What a decision may use: plain values only, so that a test needs no storage (no I/O, no clock, no chance). */
export interface DecideContext<Input = unknown> {
  readonly input: Input;
  /** Who asks; null for the host itself. */
  readonly caller: Caller | null;
  readonly now: Timestamp;
  /** As many fresh ids as the command asked for. */
  readonly ids: readonly string[];
  /** As many fresh secrets as the command asked for: random base62 characters. */
  readonly secrets: readonly string[];
  readonly rules: Rules;
}

export interface Decision<Reply> {
  readonly batch: Batch;
  readonly reply: Reply;
}

/** What a command loads its rows by. */
export interface LoadContext<At, Input> extends OperationContext {
  readonly records: At;
  readonly input: Input;
  readonly caller: Caller | null;
  /** Query parameters of the request; none for a command of the host. */
  readonly query: Readonly<Record<string, unknown>>;
  /** 0 at first, one more after each conflict. */
  readonly attempt: number;
  /** A number from 0 to 1, for spreading those who got in each other's way. */
  random(): number;
}

/**
 * Something that changes the state: load, decide, commit. When the batch meets a conflict, all three start again.
 * `At` is what it is about: the records of the path, or nothing for a command of the host.
 */
export interface Command<At, Input, Loaded, Reply> {
  /** Rows that the decision needs, read anew for every attempt. */
  load(context: LoadContext<At, Input>): Promise<Loaded | Refusal>;
  /** How many fresh ids the decision needs; none if absent. */
  ids?(loaded: Loaded, input: Input): number;
  /** How many fresh secrets the decision needs. */
  readonly secrets?: number;
  decide(loaded: Loaded, context: DecideContext<Input>): Decision<Reply> | Refusal;
  /** What to say when the commit would break a unique key, as `entity.key`; anything else is decided again. */
  duplicates?: Readonly<Record<string, Refusal>>;
}

interface OperationBase<P extends string, Q extends Parameters> {
  /** `builds.cancel` */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly method: Method;
  /** Other methods that do the same (decisions 1). */
  readonly alsoMethods?: readonly Method[];
  readonly path: P;
  /** Other paths that do the same. */
  readonly alsoPaths?: readonly string[];
  /** The scope that the token must have; null: any valid token. */
  readonly scope: Scope | null;
  readonly query?: Q;
  /** Declared refusals beyond those that every operation has: status and what it means. */
  readonly errorStatuses?: Readonly<Record<number, string>>;
}

/**
 * A record as it goes on the wire, followed by a comma: ready chunks, so that a page of them is never glued together. Chunks
 * may be shared by several records.
 */
export type SerializedRecord = readonly Uint8Array[];

/** Renders the records with these stamps, in their order; those that are gone are left out. */
export type RenderCached<C> = (stamps: readonly Stamp[], context: C) => Promise<readonly SerializedRecord[] | Refusal>;

/**
 * A page of records: stamps, then rows, then their representation. In place of `present` there may be `show`, for records
 * that are kept as they were rendered: it loads only those that are not.
 */
export interface ListOperation<
  P extends string = string,
  Q extends Parameters = Parameters,
  N extends QueryName = QueryName,
> extends OperationBase<P, Q> {
  readonly form: 'list';
  /** Everything in one answer unless `page` or `per_page` is sent (decisions 3). */
  readonly unpaged?: boolean;
  readonly item: Schema;
  readonly source: N;
  where(
    context: RequestContext<PathParameters<P>, ParameterValues<Q>>,
  ): QueryArgs<N> | Refusal | Promise<QueryArgs<N> | Refusal>;
  render?(
    rows: readonly QueryRow<N>[],
    context: RequestContext<PathParameters<P>, ParameterValues<Q>>,
  ): readonly unknown[] | Promise<readonly unknown[]>;
  readonly renderCached?: RenderCached<RequestContext<PathParameters<P>, ParameterValues<Q>>>;
}

/**
 * One answer that is only read. In place of `run` there may be `show`: it is given the stamp of the record that the path
 * names last, and that record is not loaded before.
 */
export interface ReadOperation<P extends string = string, Q extends Parameters = Parameters, R extends Schema = Schema>
  extends OperationBase<P, Q> {
  readonly form: 'read';
  readonly reply: R;
  run?(
    context: RequestContext<PathParameters<P>, ParameterValues<Q>>,
  ): Infer<R> | Refusal | Promise<Infer<R> | Refusal>;
  readonly renderCached?: RenderCached<RequestContext<unknown, ParameterValues<Q>>>;
}

/** A change. */
export interface CommandOperation<
  P extends string = string,
  B extends Schema = Schema,
  R extends Schema = Schema,
  Loaded = unknown,
  Reply = unknown,
> extends OperationBase<P, Parameters> {
  readonly form: 'command';
  readonly status: 200 | 201 | 204;
  readonly body?: B;
  /** Whether problems of the body are told as a list of fields or as one sentence (spec 7). */
  readonly validationErrors?: 'fields' | 'sentence';
  /** A right that the caller needs beyond the scope; told before whether the record exists (decisions 12). */
  readonly right?: Right['to'] & 'stop_agents';
  /** Absent where the answer is empty. */
  readonly reply?: R;
  readonly command: Command<PathParameters<P>, Infer<B>, Loaded, Reply>;
  render?(reply: Reply, context: RequestContext<PathParameters<P>>): Infer<R> | Promise<Infer<R>>;
}

/** Open to everybody: the root (spec 1.6), and what describes the API. */
export interface PublicOperation<R extends Schema = Schema> extends OperationBase<string, Parameters> {
  readonly form: 'public';
  readonly reply: R;
  run(context: Pick<OperationContext, 'now' | 'links'>): Infer<R> | Promise<Infer<R>>;
}

/** An operation as dispatch sees it. */
export type Operation = PublicOperation | ListOperation | ReadOperation | CommandOperation;

/** Declares a list. */
export const list = <
  const Id extends string,
  const P extends string,
  N extends QueryName,
  R extends Schema,
  const Q extends Parameters = Record<never, never>,
>(
  operation: Omit<ListOperation<P, Q, N>, 'form'> & { readonly id: Id; readonly item: R },
) =>
  ({ ...operation, form: 'list' }) as unknown as Declared<
    ListOperation,
    { form: 'list'; id: Id; method: 'GET'; path: P; query: ParameterValues<Q>; body: object; reply: Infer<R> }
  >;

/** Declares a read. */
export const read = <
  const Id extends string,
  const P extends string,
  R extends Schema,
  const Q extends Parameters = Record<never, never>,
>(
  operation: Omit<ReadOperation<P, Q, R>, 'form'> & { readonly id: Id },
) =>
  ({ ...operation, form: 'read' }) as unknown as Declared<
    ReadOperation,
    { form: 'read'; id: Id; method: 'GET'; path: P; query: ParameterValues<Q>; body: object; reply: Infer<R> }
  >;

/** Declares a change. */
export const command = <
  const Id extends string,
  const M extends Method,
  const P extends string,
  Loaded,
  Reply,
  B extends Schema = Schema<Record<never, never>>,
  R extends Schema = Schema<undefined>,
  const Q extends Parameters = Record<never, never>,
>(
  operation: Omit<CommandOperation<P, B, R, Loaded, Reply>, 'form'> & {
    readonly id: Id;
    readonly method: M;
    readonly query?: Q;
  },
) =>
  ({ ...operation, form: 'command' }) as unknown as Declared<
    CommandOperation,
    { form: 'command'; id: Id; method: M; path: P; query: ParameterValues<Q>; body: Infer<B>; reply: Infer<R> }
  >;

/** Declares an operation that needs no token. */
export const publicRoute = <const Id extends string, const P extends string, R extends Schema>(
  operation: Omit<PublicOperation<R>, 'form' | 'scope'> & { readonly id: Id; readonly path: P },
) =>
  ({ ...operation, form: 'public', scope: null }) as unknown as Declared<
    PublicOperation,
    { form: 'public'; id: Id; method: 'GET'; path: P; query: object; body: object; reply: Infer<R> }
  >;
