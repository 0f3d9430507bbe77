import type { ColumnName, EntityName, Row } from './entities.js';

/**
 * One condition on the records of an entity. There are only these forms, so that a storage can implement all of them:
 *
 * | filter           | argument                    | matches a record when |
 * |------------------|-----------------------------|-----------------------|
 * | `eq: column`     | a value (or null)           | the column equals it; null matches null |
 * | `anyOf: column`  | an array                    | the column equals one of them; an empty array matches nothing |
 * | `gte: column`    | a value                     | the column is not null and greater than or equal to it |
 * | `lt: column`     | a value                     | the column is not null and less than it |
 * | `entries: column`| an object of strings        | the column contains a JSON object (not an array) with all these entries; `{}` matches all |
 * | `contains: [..]` | a string                    | one of the columns contains it, ignoring the case of ASCII letters; no wildcards |
 */
export type Filter<E extends EntityName = EntityName> =
  | { readonly eq: ColumnName<E> }
  | { readonly anyOf: ColumnName<E> }
  | { readonly gte: ColumnName<E> }
  | { readonly lt: ColumnName<E> }
  | { readonly entries: ColumnName<E> }
  | { readonly contains: readonly ColumnName<E>[] };

export type Filters<E extends EntityName = EntityName> = Readonly<Record<string, Filter<E>>>;

export type Direction = 'asc' | 'desc';
export type Order<E extends EntityName = EntityName> = readonly (readonly [ColumnName<E>, Direction])[];

/** The record of `to` whose id is in the column `by`, or null. */
export interface ToOne<E extends EntityName = EntityName> {
  readonly to: EntityName;
  readonly by: ColumnName<E>;
}

/** The records of `from` whose column `by` equals this record's column `on` (default: its id), in this order. */
export interface ToMany<E extends EntityName = EntityName> {
  readonly from: EntityName;
  readonly by: string;
  readonly on?: ColumnName<E>;
  readonly order: readonly (readonly [string, Direction])[];
}

/**
 * A stored number of the records in a query's scope, so that a request does not count records:
 *
 * | counter        | one number for each | purpose |
 * |----------------|---------------------|---------|
 * | `by: column`   | value of a text column | the method `count`; exact as soon as the commit has returned |
 * | `byDay: column`| UTC day of the time column that is first in the order | a hint for pages far from the first; a storage may ignore it |
 *
 * The records must have one owner: besides the counted column, the scope has exactly one filter, by an id that is never null.
 */
export type Counter<E extends EntityName = EntityName> =
  | { readonly by: ColumnName<E> }
  | { readonly byDay: ColumnName<E> };

/**
 * A declared query: its records, their order and their relations. Storages derive statements and indexes from it. Filters of
 * `scope` always have an argument, and their columns are the first of every index. The arguments of `filters` are optional;
 * each filter named in `indexed` gets its own index after the columns of the scope. List the most selective ones first.
 * The order must end with `id`. Null sorts before every value, and text sorts by code point.
 */
export interface Definition<E extends EntityName = EntityName> {
  readonly scope: Filters<E>;
  readonly filters?: Filters<E>;
  readonly indexed?: readonly string[];
  readonly order: Order<E>;
  readonly counters?: readonly Counter<E>[];
  readonly one?: Readonly<Record<string, ToOne<E>>>;
  readonly many?: Readonly<Record<string, ToMany<E>>>;
}

export type Query<E extends EntityName = EntityName, D extends Definition<E> = Definition<E>> = D & {
  readonly entity: E;
};

export const query = <E extends EntityName, const D extends Definition<E>>(entity: E, definition: D): Query<E, D> => ({
  ...definition,
  entity,
});

type Argument<E extends EntityName, F> = F extends { readonly eq: infer C extends ColumnName<E> }
  ? Row<E>[C]
  : F extends { readonly anyOf: infer C extends ColumnName<E> }
    ? readonly Row<E>[C][]
    : F extends { readonly gte: infer C extends ColumnName<E> }
      ? NonNullable<Row<E>[C]>
      : F extends { readonly lt: infer C extends ColumnName<E> }
        ? NonNullable<Row<E>[C]>
        : F extends { readonly entries: string }
          ? Readonly<Record<string, string>>
          : string;

type Arguments<E extends EntityName, F> = { readonly [K in keyof F]: Argument<E, F[K]> };

/** Arguments of a query: one for every scope filter, and optional ones for the other filters. */
export type ArgsOf<Q> = Q extends { readonly entity: infer E extends EntityName; readonly scope: infer S }
  ? Arguments<E, S> &
      (Q extends { readonly filters: infer F } ? { readonly [K in keyof F]?: Argument<E, F[K]> | undefined } : unknown)
  : never;

/** Arguments of the scope alone. */
export type ScopeArgsOf<Q> = Q extends { readonly entity: infer E extends EntityName; readonly scope: infer S }
  ? Arguments<E, S>
  : never;

/** The columns by whose values a query declares counters. */
export type CounterColumnOf<Q> = Q extends { readonly counters: readonly (infer T)[] }
  ? T extends { readonly by: infer C extends string }
    ? C
    : never
  : never;

/** The name of the scope filter for the owner of the counted records. */
export function ownerOf({ scope }: Definition, column: string): string {
  const [owner, ...others] = Object.entries(scope).flatMap(([name, filter]) =>
    Object.values(filter)[0] === column ? [] : [name],
  );
  if (owner === undefined || others.length > 0)
    throw new TypeError(`A tally by ${column} needs one owner in the scope`);
  return owner;
}

type Related<Q> = (Q extends { readonly one: infer O }
  ? { readonly [K in keyof O]: O[K] extends { readonly to: infer T extends EntityName } ? Row<T> | null : never }
  : unknown) &
  (Q extends { readonly many: infer M }
    ? {
        readonly [K in keyof M]: M[K] extends { readonly from: infer T extends EntityName } ? readonly Row<T>[] : never;
      }
    : unknown);

/** A row with the relations that the query declares. */
export type RelatedRow<Q> = Q extends { readonly entity: infer E extends EntityName } ? Row<E> & Related<Q> : never;
