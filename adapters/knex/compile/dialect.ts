/** Where databases differ in how the conditions of a query are spelled. */
export interface Dialect {
  /** Stands before the number of a parameter. */
  readonly sign: string;
  /** A value as the driver takes it. */
  encode(value: unknown): unknown;
  /** A list as one parameter. */
  encodeList(values: readonly unknown[]): unknown;
  /** Whether an expression equals one of a list. */
  among(expression: string, list: string): string;
  /** A list as a table with the column `value`. */
  table(list: string, alias: string): string;
  /** The expression, hidden from the choice of an index. */
  aside(expression: string): string;
  /** Whether an expression contains a text, whatever its case (ASCII). */
  contains(expression: string, text: string): string;
  /** The window of a page, from parameters. */
  window(limit: string, offset: string | undefined): string;
  /** One term of an order; null comes before every value. */
  ordered(expression: string, direction: 'asc' | 'desc'): string;
}
