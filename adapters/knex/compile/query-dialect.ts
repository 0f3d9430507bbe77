import type { ColumnKind } from '../../../core/model/index.js';

/** Where databases differ in how the conditions of a query are spelled. */
export interface QueryDialect {
  /** The sign before the number of a parameter. */
  readonly parameterSign: string;
  /** Whether a table expression may refer to those named before it. */
  readonly supportsLateral: boolean;
  /** A value of a column as the driver takes it. */
  encode(value: unknown, kind: ColumnKind): unknown;
  /** A list of them as one parameter. */
  encodeList(values: readonly unknown[], kind: ColumnKind): unknown;
  /** Whether an expression equals one of a list. */
  inList(expression: string, list: string): string;
  /** A list as a table with the column `value`. */
  listTable(list: string, alias: string, kind: ColumnKind): string;
  /** A join that follows a table: for each of its rows, the record `b` of another table with this id. */
  joinById(table: string, id: string): string;
  /** The same for the one record that meets a condition. */
  joinOne(table: string, condition: string): string;
  /** Many lists of values, each for columns of these kinds, as a table; its parameters are what `encodeKeys` makes of them. */
  keysTable(kinds: readonly ColumnKind[]): KeysTable;
  encodeKeys(keys: readonly (readonly unknown[])[], kinds: readonly ColumnKind[]): unknown[];
  /** The expression, hidden from the choice of an index. */
  withoutIndex(expression: string): string;
  /** Whether an expression contains a text, whatever its case (ASCII). */
  contains(expression: string, text: string): string;
  /** The window of a page, from parameters. */
  limitOffset(limit: string, offset: string | undefined): string;
  /** A sum of integers as an integer. */
  castInteger(sum: string): string;
  /** What a time is compared with to be after the beginning (`asc`) or before the end (`desc`) of a day, as rows spell it. */
  dayBoundary(day: string, direction: 'asc' | 'desc'): string;
  /** One term of an order; null comes before every value. */
  orderTerm(expression: string, direction: 'asc' | 'desc'): string;
}

export interface KeysTable {
  readonly table: string;
  /** The index of a list, from 0. */
  readonly index: string;
  /** One of the values of a list. */
  cell(column: number): string;
}
