import type { ShapeOf } from '../../core/operations/contract/declared.js';
import type { Placeholder } from '../../core/operations/contract/resolvers.js';
import type { DeclaredOperation } from '../../core/operations/index.js';
import type { Page } from './page.js';
import type { ApiResult } from './result.js';

/** The declared shape of every operation. All types of the client are derived from it. */
export type OperationShape = ShapeOf<DeclaredOperation>;

/** The path parameters: ids, slugs or numbers of records. */
type PathValues<P extends string> = { readonly [K in Placeholder<P>]: string | number };

/** A parameter with several values also accepts a single one. */
type OneOrMany<T> = T extends readonly (infer Each)[] ? Each | readonly Each[] : T;
type Query<Q> = { readonly [K in keyof Q]?: OneOrMany<Q[K]> | undefined };
type PageQuery = { readonly page?: number | undefined; readonly per_page?: number | undefined };

type QueryOf<S extends OperationShape> = S['form'] extends 'list'
  ? { readonly query?: Query<S['query']> & PageQuery }
  : keyof S['query'] extends never
    ? unknown
    : { readonly query?: Query<S['query']> };

type BodyOf<S extends OperationShape> = keyof S['body'] extends never
  ? unknown
  : Record<never, never> extends S['body']
    ? { readonly body?: S['body'] }
    : { readonly body: S['body'] };

type Flatten<T> = { readonly [K in keyof T]: T[K] };
type Arguments<S extends OperationShape> = Flatten<PathValues<S['path']> & QueryOf<S> & BodyOf<S>>;

/** Options of a call that are not part of the request. */
export interface CallOptions {
  /** Aborts the request; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The first argument is optional if none of its properties is required. */
type MethodParameters<A> =
  Record<never, never> extends A ? [args?: A, options?: CallOptions] : [args: A, options?: CallOptions];

interface ListMethod<S extends OperationShape> {
  /** Returns one page. */
  (...rest: MethodParameters<Arguments<S>>): Promise<ApiResult<Page<S['reply']>>>;
  /**
   * Iterates over all records. Each page is requested when the iteration reaches it. An error response is thrown as an `ApiError`.
   * A record may appear twice if records are added to the list during the iteration.
   */
  all(...rest: MethodParameters<Arguments<S>>): AsyncGenerator<S['reply'], void, undefined>;
}

/** The method for an operation: parameters of the path, query and body in one object, then the options of the call. */
export type Method<S extends OperationShape> = S['form'] extends 'list'
  ? ListMethod<S>
  : (...rest: MethodParameters<Arguments<S>>) => Promise<ApiResult<S['reply']>>;

/** What is known of the operation with that id. */
export type ShapeOfId<Id extends OperationShape['id']> = Extract<OperationShape, { readonly id: Id }>;

/** What the client needs to know of an operation at run time. */
export type Route<S extends OperationShape = OperationShape> = S extends OperationShape
  ? S['form'] extends 'list'
    ? readonly [method: S['method'], path: S['path'], form: 'list']
    : readonly [method: S['method'], path: S['path']]
  : never;

export type Routes = { readonly [S in OperationShape as S['id']]: Route<S> };
