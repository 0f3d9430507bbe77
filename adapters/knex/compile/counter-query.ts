import { type ColumnKind, ownerOf } from '../../../core/model/index.js';
import { physicalName, quoteIdentifier } from '../identifiers.js';
import { counterName } from '../schema/counters.js';
import type { Counter } from '../schema/schema.js';
import type { Parameters } from './parameters.js';
import type { QueryDialect } from './query-dialect.js';
import type { Query } from './query-shape.js';
import { distinctValues, type Shape, singleValue } from './query-shape.js';

/** From so many records on, passing over them costs more than to ask where the page begins. */
export const deepOffset = 200;

/** The beginning of a page that is far from the first one. */
export interface PageStart {
  /** The tables that the others refer to. */
  readonly ctes: string;
  /** Leaves out the records of the days before, given the column that leads the order. */
  condition(column: string): string;
  /** How many records of the day itself come before the page. */
  readonly offsetInDay: string;
}

/** SQL that reads counters instead of records, for a query in one shape. */
export class CounterQuery {
  readonly #query: Query;
  readonly #shape: Shape;
  readonly #dialect: QueryDialect;
  readonly #table: string;
  readonly #parameters: Parameters;

  constructor(query: Query, shape: Shape, dialect: QueryDialect, prefix: string, parameters: Parameters) {
    this.#query = query;
    this.#shape = shape;
    this.#dialect = dialect;
    this.#table = quoteIdentifier(physicalName(prefix, 'tallies'));
    this.#parameters = parameters;
  }

  /** Selects each value of a column and how many records of the scope have it. */
  counts(by: string): string {
    const count = this.#dialect.castInteger('sum(t."count")');
    return `select t."value", ${count} as "count" from ${this.#counterRows(by, 'value')} group by t."value" having sum(t."count") <> 0`;
  }

  /** The number of matching records as an expression; undefined if no counter counts exactly these. */
  get total(): string | undefined {
    const counter = this.#query.counters?.find((one) => this.#onlyFiltersScope('by' in one ? one.by : undefined));
    if (counter === undefined) return undefined;
    const rows = 'by' in counter ? this.#counterRows(counter.by, 'value') : this.#counterRows(counter.byDay, 'month');
    return `(select ${this.#dialect.castInteger('coalesce(sum(t."count"), 0)')} from ${rows})`;
  }

  /**
   * The day on which a page begins. First the months are added up and then the days of one of them, all in the statement
   * that walks on from there, so that both see the same records.
   */
  pageStart(skip: string): PageStart | undefined {
    const offset = this.#dialect.castInteger(skip);
    const counter = this.#query.counters?.find((one) => 'byDay' in one);
    if (counter === undefined || !this.#onlyFiltersScope()) return undefined;
    const direction = this.#query.order[0]?.[1] ?? 'asc';
    const months = this.#counterRows(counter.byDay, 'month');
    const ofMonth = (column: string) => `(select ${column} from month)`;
    const days = `${this.#counterRows(counter.byDay, 'day')} and t."value" between ${ofMonth(`"value" || '-01'`)} and ${ofMonth(`"value" || '-31'`)}`;
    const day = this.#lastBucketBefore(days, ofMonth('"before"'), offset, direction);
    const dayBoundary = this.#dialect.dayBoundary('d."value"', direction);
    return {
      ctes: `month as materialized (${this.#lastBucketBefore(months, '0', offset, direction)}), start as materialized (select d."before", ${dayBoundary} as "edge" from (${day}) d)`,
      condition: (column) => `${column} ${direction === 'asc' ? '>=' : '<'} (select "edge" from start)`,
      offsetInDay: `coalesce((select ${offset} - "before" from start), 0)`,
    };
  }

  /** Of the values in these rows, the last one before which there are no more records than `offset`. */
  #lastBucketBefore(rows: string, before: string, offset: string, direction: 'asc' | 'desc'): string {
    const sums = `select t."value", sum(t."count") as "count" from ${rows} group by t."value" having sum(t."count") <> 0`;
    const running = `select s."value", ${before} + sum(s."count") over (order by s."value" ${direction}) - s."count" as "before" from (${sums}) s`;
    const last = direction === 'asc' ? 'desc' : 'asc';
    return `select r."value", ${this.#dialect.castInteger('r."before"')} as "before" from (${running}) r where r."before" <= ${offset} order by r."value" ${last} limit 1`;
  }

  #counterRows(column: string, bucket: Counter['bucket']): string {
    const owner = ownerOf(this.#query, column);
    const suppliedFilters = Object.keys(this.#shape.forms).filter(
      (name) => name === owner || this.#filtersColumn(name, column),
    );
    const conditions = suppliedFilters.map((name) =>
      name === owner ? this.#condition(name, 't."owner"', 'id') : this.#condition(name, 't."value"', 'text'),
    );
    const counter = `t."tally" = '${counterName(this.#query, column, bucket)}'`;
    return `${this.#table} t where ${[...conditions, counter].join(' and ')}`;
  }

  /** Whether nothing but the scope is given, and perhaps which values of a column. */
  #onlyFiltersScope(column?: string): boolean {
    return Object.keys(this.#shape.forms).every(
      (name) => name in this.#query.scope || this.#filtersColumn(name, column),
    );
  }

  /** Whether a filter compares a column with one value or several. */
  #filtersColumn(name: string, column: string | undefined): boolean {
    const filter = { ...this.#query.scope, ...this.#query.filters }[name] ?? {};
    return ('eq' in filter && filter.eq === column) || ('anyOf' in filter && filter.anyOf === column);
  }

  /** Owners and counted values are never null, so a null among those that are asked for changes nothing. */
  #condition(name: string, expression: string, kind: ColumnKind): string {
    const form = this.#shape.forms[name];
    if (form === 'null') return '1 = 0';
    if (form === 'value') {
      return `${expression} = ${this.#parameters.add(({ args }) => this.#dialect.encode(singleValue(args[name]), kind))}`;
    }
    const list = this.#parameters.add(({ args }) => this.#dialect.encodeList(distinctValues(args[name]), kind));
    return this.#dialect.inList(expression, list);
  }
}
