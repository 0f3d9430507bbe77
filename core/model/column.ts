/**
 * The kinds of columns of an entity. There are few, because every storage has to store the values of each exactly.
 *
 * | kind      | value in a row | notes |
 * |-----------|----------------|-------|
 * | `id`      | string         | lower-case UUID |
 * | `text`    | string         | any text without NUL and lone surrogates, compared by code point; at most 255 code points in a column of a unique key, a scope, an indexed filter or a counter |
 * | `integer` | number         | a safe integer |
 * | `flag`    | boolean        | |
 * | `time`    | string         | `2026-01-31T09:30:00.000Z`: UTC, three decimals, so that text order is time order |
 * | `json`    | plain value    | the order of keys in objects is preserved |
 */
export type ColumnKind = 'id' | 'text' | 'integer' | 'flag' | 'time' | 'json';

export interface Column<T = unknown> {
  readonly kind: ColumnKind;
  readonly nullable: boolean;
  /** The type of the values, for the compiler only; never present at run time. */
  readonly value?: T;
}

/** A time in the format of rows and responses: `2026-01-31T09:30:00.000Z`. */
export type Timestamp = string;

const column = <T>(kind: ColumnKind): Column<T> => ({ kind, nullable: false });

export const id = () => column<string>('id');
export const text = <T extends string = string>() => column<T>('text');
export const integer = () => column<number>('integer');
export const flag = () => column<boolean>('flag');
export const time = () => column<Timestamp>('time');
export const json = <T>() => column<T>('json');

/** The same column, but nullable. */
export const nullable = <T>(of: Column<T>): Column<T | null> => ({ kind: of.kind, nullable: true });
