import type { ColumnName, EntityName, Row } from './entities.js';

/**
 * One condition on the records of an entity. The set is closed, so that a storage can implement all of it:
 *
 * | filter           | argument                    | matches a record when |
 * |------------------|-----------------------------|-----------------------|
 * | `eq: column`     | a value (or null)           | the column equals it; null matches null |
 * | `anyOf: column`  | an array                    | the column equals one of them; an empty array matches nothing |
 * | `gte: column`    | a value                     | the column is not null and at or after it |
 * | `lt: column`     | a value                     | the column is not null and before it |
 * | `entries: column`| an object of strings        | the column holds a JSON object (no list) with all these entries; `{}` matches all |
 * | `contains: [..]` | a string                    | one of the columns contains it, whatever its case (ASCII); no wildcards |
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

/** The one record of `to` whose id stands in the column `by`, or null. */
export interface ToOne<E extends EntityName = EntityName> {
  readonly to: EntityName;
  readonly by: ColumnName<E>;
}

/** The records of `from` whose column `by` holds this record's column `on` (its id, if absent), in the given order. */
export interface ToMany<E extends EntityName = EntityName> {
  readonly from: EntityName;
  readonly by: string;
  readonly on?: ColumnName<E>;
  readonly order: readonly (readonly [string, Direction])[];
}

/**
 * What is kept counted of the records in a query's scope, so that nobody walks them for a number:
 *
 * | tally          | the records told apart by | what for |
 * |----------------|---------------------------|----------|
 * | `by: column`   | the value of a text column | the verb `count`, exact and at once |
 * | `byDay: column`| the UTC day of the time that leads the order | pages far from the first; a storage may do without |
 *
 * The records have to belong to somebody: beside the tallied column, the scope holds one filter, by an id that is never null.
 */
export type Counter<E extends EntityName = EntityName> =
  | { readonly by: ColumnName<E> }
  | { readonly byDay: ColumnName<E> };

/**
 * A declared query: which records, in which order, with which relations. Storages derive statements and indexes from it.
 * `scope` filters are always given and make the head of every index; `filters` may be left out, and each of them that is
 * named in `indexed` gets an index of its own below the scope: name those first that leave the fewest records. The order
 * must end in `id`; null comes before every value, and text is ordered by code point.
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

/** Arguments of a query: every scope filter, and any of the others. */
export type ArgsOf<Q> = Q extends { readonly entity: infer E extends EntityName; readonly scope: infer S }
  ? Arguments<E, S> &
      (Q extends { readonly filters: infer F } ? { readonly [K in keyof F]?: Argument<E, F[K]> | undefined } : unknown)
  : never;

/** Arguments of the scope alone. */
export type ScopeArgsOf<Q> = Q extends { readonly entity: infer E extends EntityName; readonly scope: infer S }
  ? Arguments<E, S>
  : never;

/** The columns by whose values a query is tallied. */
export type CounterColumnOf<Q> = Q extends { readonly counters: readonly (infer T)[] }
  ? T extends { readonly by: infer C extends string }
    ? C
    : never
  : never;

/** The scope filter that says to whom the records of a tallied query belong. */
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
