import type { ShapeOf } from '../../core/operations/contract/declared.js';
import type { Placeholder } from '../../core/operations/contract/resolvers.js';
import type { DeclaredOperation } from '../../core/operations/index.js';
import type { Page } from './page.js';
import type { ApiResult } from './result.js';

/** What is known of every operation. The types of the client are derived from it, and from nothing else. */
export type OperationShape = ShapeOf<DeclaredOperation>;

/** Names of the records in a path: ids, slugs, numbers. */
type PathValues<P extends string> = { readonly [K in Placeholder<P>]: string | number };

/** A list of values may be given as one value as well. */
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

/** Choices that have nothing to do with what is asked. */
export interface CallOptions {
  /** Gives the request up when it is aborted; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Nothing has to be given where nothing of it is needed. */
type MethodParameters<A> =
  Record<never, never> extends A ? [given?: A, options?: CallOptions] : [given: A, options?: CallOptions];

interface ListMethod<S extends OperationShape> {
  /** One page. */
  (...rest: MethodParameters<Arguments<S>>): Promise<ApiResult<Page<S['reply']>>>;
  /**
   * All records, page after page, as they are asked for. A refusal is thrown as an `AnswerError`. Pages are asked for one by
   * one: what comes into the list meanwhile may show a record twice.
   */
  all(...rest: MethodParameters<Arguments<S>>): AsyncGenerator<S['reply'], void, undefined>;
}

type Method<S extends OperationShape> = S['form'] extends 'list'
  ? ListMethod<S>
  : (...rest: MethodParameters<Arguments<S>>) => Promise<ApiResult<S['reply']>>;

type ResourceName<Id> = Id extends `${infer F}.${string}` ? F : never;
type MethodName<Id, F extends string> = Id extends `${F}.${infer Name}` ? Name : never;

/** A method for every operation, by its id: `client.builds.create(…)`. */
export type Client = {
  readonly [F in ResourceName<OperationShape['id']>]: {
    readonly [S in Extract<OperationShape, { readonly id: `${F}.${string}` }> as MethodName<S['id'], F>]: Method<S>;
  };
};

/** What has to be known of an operation at run time. */
export type Route<S extends OperationShape = OperationShape> = S extends OperationShape
  ? S['form'] extends 'list'
    ? readonly [method: S['method'], path: S['path'], form: 'list']
    : readonly [method: S['method'], path: S['path']]
  : never;

export type Routes = { readonly [S in OperationShape as S['id']]: Route<S> };
