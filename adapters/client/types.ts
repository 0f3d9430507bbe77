import type { ShapeOf } from '../../core/contract/declared.js';
import type { Placeholder } from '../../core/contract/resolvers.js';
import type { DeclaredOperation } from '../../core/operations/index.js';
import type { Answer } from './answer.js';
import type { Page } from './page.js';

/** What is known of every operation. The types of the client are derived from it, and from nothing else. */
export type Shapes = ShapeOf<DeclaredOperation>;

/** Names of the records in a path: ids, slugs, numbers. */
type PathValues<P extends string> = { readonly [K in Placeholder<P>]: string | number };

/** A list of values may be given as one value as well. */
type Loosened<T> = T extends readonly (infer Each)[] ? Each | readonly Each[] : T;
type Query<Q> = { readonly [K in keyof Q]?: Loosened<Q[K]> | undefined };
type Paging = { readonly page?: number | undefined; readonly per_page?: number | undefined };

type QueryOf<S extends Shapes> = S['form'] extends 'list'
  ? { readonly query?: Query<S['query']> & Paging }
  : keyof S['query'] extends never
    ? unknown
    : { readonly query?: Query<S['query']> };

type BodyOf<S extends Shapes> = keyof S['body'] extends never
  ? unknown
  : Record<never, never> extends S['body']
    ? { readonly body?: S['body'] }
    : { readonly body: S['body'] };

type Flat<T> = { readonly [K in keyof T]: T[K] };
type Arguments<S extends Shapes> = Flat<PathValues<S['path']> & QueryOf<S> & BodyOf<S>>;

/** Choices that have nothing to do with what is asked. */
export interface CallOptions {
  /** Gives the request up when it is aborted; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Nothing has to be given where nothing of it is needed. */
type Rest<A> = Record<never, never> extends A ? [given?: A, options?: CallOptions] : [given: A, options?: CallOptions];

interface ListMethod<S extends Shapes> {
  /** One page. */
  (...rest: Rest<Arguments<S>>): Promise<Answer<Page<S['reply']>>>;
  /**
   * All records, page after page, as they are asked for. A refusal is thrown as an `AnswerError`. Pages are asked for one by
   * one: what comes into the list meanwhile may show a record twice.
   */
  all(...rest: Rest<Arguments<S>>): AsyncGenerator<S['reply'], void, undefined>;
}

type Method<S extends Shapes> = S['form'] extends 'list'
  ? ListMethod<S>
  : (...rest: Rest<Arguments<S>>) => Promise<Answer<S['reply']>>;

type Family<Id> = Id extends `${infer F}.${string}` ? F : never;
type Own<Id, F extends string> = Id extends `${F}.${infer Name}` ? Name : never;

/** A method for every operation, by its id: `client.builds.create(…)`. */
export type Client = {
  readonly [F in Family<Shapes['id']>]: {
    readonly [S in Extract<Shapes, { readonly id: `${F}.${string}` }> as Own<S['id'], F>]: Method<S>;
  };
};

/** What has to be known of an operation at run time. */
export type Route<S extends Shapes = Shapes> = S extends Shapes
  ? S['form'] extends 'list'
    ? readonly [method: S['method'], path: S['path'], form: 'list']
    : readonly [method: S['method'], path: S['path']]
  : never;

export type Routes = { readonly [S in Shapes as S['id']]: Route<S> };
