import type { Command, OperationContext } from '../../commands/command.js';
import type { ApiError, ErrorCode } from '../../errors/index.js';
import type { Parameters, ParameterValues } from '../../http/parameters.js';
import type { Method } from '../../http/router.js';
import type { QueryArgs, QueryName, QueryRow } from '../../model/index.js';
import type { Scope } from '../../model/scopes.js';
import type { Caller, Right, Stamp } from '../../ports/index.js';
import type { Infer, Schema } from '../../schema/schema.js';
import type { Declared } from './declared.js';
import type { PathParameters, ResolvedRecords } from './resolvers.js';

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
  /** Codes of the errors beyond those that every operation of its form can return. */
  readonly errors?: readonly ErrorCode[];
}

/**
 * A serialized record, followed by a comma, as chunks of bytes, so that the records of a page are never concatenated. Chunks
 * may be shared by several records.
 */
export type SerializedRecord = readonly Uint8Array[];

/** Renders the records with these stamps, in their order; those that are gone are left out. */
export type RenderCached<C> = (stamps: readonly Stamp[], context: C) => Promise<readonly SerializedRecord[] | ApiError>;

/**
 * A list: find stamps, load rows, render them. An operation whose records are in the render cache has `renderCached` instead of
 * `render`: it loads only records that are not cached.
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
  ): QueryArgs<N> | ApiError | Promise<QueryArgs<N> | ApiError>;
  render?(
    rows: readonly QueryRow<N>[],
    context: RequestContext<PathParameters<P>, ParameterValues<Q>>,
  ): readonly unknown[] | Promise<readonly unknown[]>;
  readonly renderCached?: RenderCached<RequestContext<PathParameters<P>, ParameterValues<Q>>>;
}

/**
 * A read of one record. An operation whose records are in the render cache has `renderCached` instead of `run`: it gets the stamp
 * of the last record of the path, which is not loaded before.
 */
export interface ReadOperation<P extends string = string, Q extends Parameters = Parameters, R extends Schema = Schema>
  extends OperationBase<P, Q> {
  readonly form: 'read';
  readonly reply: R;
  run?(
    context: RequestContext<PathParameters<P>, ParameterValues<Q>>,
  ): Infer<R> | ApiError | Promise<Infer<R> | ApiError>;
  readonly renderCached?: RenderCached<RequestContext<Partial<ResolvedRecords>, ParameterValues<Q>>>;
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
  /** Whether validation errors of the body are a list of fields or one sentence (spec 7). */
  readonly validationErrors?: 'fields' | 'sentence';
  /** A right that the caller needs beyond the scope. It is checked before the record is looked up (decisions 12). */
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
