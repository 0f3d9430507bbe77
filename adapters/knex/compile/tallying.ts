import { type ColumnKind, ownerOf } from '../../../core/model/index.js';
import { physical, quoted } from '../names.js';
import type { Tally } from '../schema/schema.js';
import { tallyNamed } from '../schema/tallies.js';
import type { Dialect } from './dialect.js';
import type { Query } from './matching.js';
import type { Parameters } from './parameters.js';
import { only, type Shape, several } from './shape.js';

/** From so many records on, passing over them costs more than to ask where the page begins. */
export const deep = 200;

/** The beginning of a page that is far from the first one. */
export interface Start {
  /** The tables that the others refer to. */
  readonly tables: string;
  /** Leaves out the records of the days before, given the column that leads the order. */
  condition(column: string): string;
  /** How many records of the day itself come before the page. */
  readonly rest: string;
}

/** SQL that reads counters instead of records, for a query in one shape. */
export class Tallying {
  readonly #query: Query;
  readonly #shape: Shape;
  readonly #dialect: Dialect;
  readonly #table: string;
  readonly #parameters: Parameters;

  constructor(query: Query, shape: Shape, dialect: Dialect, prefix: string, parameters: Parameters) {
    this.#query = query;
    this.#shape = shape;
    this.#dialect = dialect;
    this.#table = quoted(physical(prefix, 'tallies'));
    this.#parameters = parameters;
  }

  /** Selects each value of a column and how many records of the scope have it. */
  counts(by: string): string {
    const count = this.#dialect.integer('sum(t."count")');
    return `select t."value", ${count} as "count" from ${this.#rows(by, 'value')} group by t."value" having sum(t."count") <> 0`;
  }

  /** The number of matching records as an expression; undefined if there is no tally of just them. */
  get total(): string | undefined {
    const tally = this.#query.tallied?.find((one) => this.#covers('by' in one ? one.by : undefined));
    if (tally === undefined) return undefined;
    const rows = 'by' in tally ? this.#rows(tally.by, 'value') : this.#rows(tally.byDay, 'month');
    return `(select ${this.#dialect.integer('coalesce(sum(t."count"), 0)')} from ${rows})`;
  }

  /**
   * The day on which a page begins. First the months are added up and then the days of one of them, all in the statement
   * that walks on from there, so that both see the same records.
   */
  start(skip: string): Start | undefined {
    const offset = this.#dialect.integer(skip);
    const tally = this.#query.tallied?.find((one) => 'byDay' in one);
    if (tally === undefined || !this.#covers()) return undefined;
    const direction = this.#query.order[0]?.[1] ?? 'asc';
    const months = this.#rows(tally.byDay, 'month');
    const of = (column: string) => `(select ${column} from month)`;
    const days = `${this.#rows(tally.byDay, 'day')} and t."value" between ${of(`"value" || '-01'`)} and ${of(`"value" || '-31'`)}`;
    const day = this.#last(days, of('"before"'), offset, direction);
    const edge = this.#dialect.edge('d."value"', direction);
    return {
      tables: `month as materialized (${this.#last(months, '0', offset, direction)}), start as materialized (select d."before", ${edge} as "edge" from (${day}) d)`,
      condition: (column) => `${column} ${direction === 'asc' ? '>=' : '<'} (select "edge" from start)`,
      rest: `coalesce((select ${offset} - "before" from start), 0)`,
    };
  }

  /** Of the values in these rows, the last one before which there are no more records than `offset`. */
  #last(rows: string, before: string, offset: string, direction: 'asc' | 'desc'): string {
    const sums = `select t."value", sum(t."count") as "count" from ${rows} group by t."value" having sum(t."count") <> 0`;
    const running = `select s."value", ${before} + sum(s."count") over (order by s."value" ${direction}) - s."count" as "before" from (${sums}) s`;
    const last = direction === 'asc' ? 'desc' : 'asc';
    return `select r."value", ${this.#dialect.integer('r."before"')} as "before" from (${running}) r where r."before" <= ${offset} order by r."value" ${last} limit 1`;
  }

  #rows(column: string, per: Tally['per']): string {
    const owner = ownerOf(this.#query, column);
    const given = Object.keys(this.#shape.forms).filter((name) => name === owner || this.#isOf(name, column));
    const conditions = given.map((name) =>
      name === owner ? this.#condition(name, 't."owner"', 'id') : this.#condition(name, 't."value"', 'text'),
    );
    const tally = `t."tally" = '${tallyNamed(this.#query, column, per)}'`;
    return `${this.#table} t where ${[...conditions, tally].join(' and ')}`;
  }

  /** Whether nothing but the scope is given, and perhaps which values of a column. */
  #covers(column?: string): boolean {
    return Object.keys(this.#shape.forms).every((name) => name in this.#query.scope || this.#isOf(name, column));
  }

  /** Whether a filter compares a column with one value or several. */
  #isOf(name: string, column: string | undefined): boolean {
    const filter = { ...this.#query.scope, ...this.#query.filters }[name] ?? {};
    return ('eq' in filter && filter.eq === column) || ('anyOf' in filter && filter.anyOf === column);
  }

  /** Owners and tallied values are never null, so a null among those that are asked for changes nothing. */
  #condition(name: string, expression: string, kind: ColumnKind): string {
    const form = this.#shape.forms[name];
    if (form === 'null') return '1 = 0';
    if (form === 'value') {
      return `${expression} = ${this.#parameters.add(({ args }) => this.#dialect.encode(only(args[name]), kind))}`;
    }
    const list = this.#parameters.add(({ args }) => this.#dialect.encodeList(several(args[name]), kind));
    return this.#dialect.among(expression, list);
  }
}
