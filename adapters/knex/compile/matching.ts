import {
  type Column,
  type ColumnKind,
  type Definition,
  type EntityName,
  entities,
  type Filter,
} from '../../../core/model/index.js';
import { entriesTableOf, physical, quoted, tableOf } from '../names.js';
import { entriesTablesOf, entryDigests } from '../schema/entries.js';
import type { Dialect } from './dialect.js';
import { type Call, Parameters } from './parameters.js';
import { type Form, only, type Shape, several } from './shape.js';
import type { Start } from './tallying.js';

export type Query = Definition & { readonly entity: EntityName };

/**
 * SQL for the records that match a query, in one shape. The index to walk is decided here and not left to the planner:
 * the scope, then the first given filter of `indexed` with one value, then the order. Every other condition is set aside.
 *
 * When a filter on that way has several values, each of them is walked on its own as far as the page reaches, and what
 * comes out is put in order: a page of the builds in five states costs five short walks and never sorts a whole pipeline.
 */
export class Matching {
  readonly parameters: Parameters;
  readonly #query: Query;
  readonly #forms: Readonly<Record<string, Form>>;
  readonly #dialect: Dialect;
  readonly #prefix: string;
  /** The entries filter that leads the way instead of an indexed one. */
  readonly #entries: { readonly name: string; readonly column: string; readonly form: Form } | undefined;
  /** The filters whose columns head the index that is walked. */
  readonly #way: readonly string[];

  constructor(query: Query, shape: Shape, dialect: Dialect, prefix: string) {
    this.parameters = new Parameters(dialect.sign);
    this.#query = query;
    this.#forms = shape.forms;
    this.#dialect = dialect;
    this.#prefix = prefix;
    this.#entries = this.#given()
      .map(([name, filter, form]) => ('entries' in filter ? { name, column: filter.entries, form } : undefined))
      .find((found) => found !== undefined);
    const scope = Object.keys(query.scope);
    const indexed = (query.indexed ?? []).filter((name) => this.#forms[name] !== undefined);
    const chosen = indexed.find((name) => !isList(this.#forms[name])) ?? indexed[0];
    this.#way = this.#entries !== undefined || chosen === undefined ? scope : [...scope, chosen];
  }

  /** Selects `id` and `version` of one page, in the query's order; `start` is where to begin instead of at the first record. */
  page(limit: string, skip?: string, start?: Start): string {
    const offset = start === undefined ? skip : start.rest;
    const order = this.#query.order.map(([column, direction]) => [`b.${quoted(column)}`, direction] as const);
    const window = `order by ${this.#ordered(order)} ${this.#dialect.window(limit, offset)}`;
    const lists = this.#way.filter((name) => this.#forms[name] === 'many');
    if (lists.length === 0) {
      return `select b."id", b."version" from ${this.#source()} where ${this.#conditions(new Map(), start)} ${this.#window(limit, offset)}`;
    }
    const tables = lists.map((name, place) => this.#dialect.table(this.#list(name), `v${place}`, this.#kindOf(name)));
    const values = new Map(lists.map((name, place) => [name, `v${place}."value"`]));
    const reach = offset === undefined ? limit : `${limit} + ${offset}`;
    if (this.#dialect.lateral) {
      const columns = new Set(['id', 'version', ...this.#query.order.map(([column]) => column)]);
      const named = [...columns].map((column) => `${this.#ref(column)} as ${quoted(column)}`).join(', ');
      const each = `select ${named} from ${this.#source()} where ${this.#conditions(values, start)} ${this.#window(reach, undefined, values)}`;
      return `select b."id", b."version" from ${tables.join(' cross join ')} cross join lateral (${each}) b ${window}`;
    }
    const one = `select ${this.#ref('id')} from ${this.#source()} where ${this.#conditions(values, start)} ${this.#window(reach, undefined, values)}`;
    return `select b."id", b."version" from ${tables.join(' cross join ')} cross join ${this.#table(this.#query.entity)} b where b."id" in (${one}) ${window}`;
  }

  /** Selects a row for each match, in no order, at most `limit`. */
  any(limit: string): string {
    return `select 1 from ${this.#source()} where ${this.#conditions()} ${this.#dialect.window(limit, undefined)}`;
  }

  #window(limit: string, offset?: string, values?: ReadonlyMap<string, string>): string {
    if (this.#isOne(values)) return this.#dialect.window(limit, offset);
    const order = this.#query.order.map(([column, direction]) => [this.#ref(column), direction] as const);
    return `order by ${this.#ordered(order)} ${this.#dialect.window(limit, offset)}`;
  }

  /** Whether the given filters hold a unique key. One record has no order, and should not be looked for in that of others. */
  #isOne(values?: ReadonlyMap<string, string>): boolean {
    const equal = this.#given().flatMap(([name, filter, form]) =>
      (form === 'value' || values?.has(name)) && !('contains' in filter) ? [filter] : [],
    );
    const columns = equal.flatMap((filter) => ('eq' in filter || 'anyOf' in filter ? [columnOf(filter)] : []));
    return Object.values(entities[this.#query.entity].unique).some((key) => key.every((one) => columns.includes(one)));
  }

  #ordered(order: readonly (readonly [string, 'asc' | 'desc'])[]): string {
    return order.map(([expression, direction]) => this.#dialect.ordered(expression, direction)).join(', ');
  }

  #source(): string {
    const table = this.#table(this.#query.entity);
    if (this.#entries === undefined) return `${table} b`;
    const side = quoted(physical(this.#prefix, entriesTableOf(this.#query.entity, this.#entries.column)));
    return `${side} e ${this.#dialect.followed(table, 'e."record_id"')}`;
  }

  #table(entity: EntityName): string {
    return quoted(physical(this.#prefix, tableOf(entity)));
  }

  /** A column where it is cheapest to read: beside the entry, if that leads the way and repeats it. */
  #ref(column: string): string {
    if (this.#entries === undefined) return `b.${quoted(column)}`;
    if (column === 'id') return 'e."record_id"';
    const { column: searched } = this.#entries;
    const side = entriesTablesOf(this.#query.entity).find((table) => table.column === searched);
    return `${side?.copied.includes(column) ? 'e' : 'b'}.${quoted(column)}`;
  }

  #conditions(values: ReadonlyMap<string, string> = new Map(), start?: Start): string {
    const conditions = this.#given().map(([name, filter, form]) => {
      const value = values.get(name);
      if (value !== undefined) return `${this.#ref(columnOf(filter))} = ${value}`;
      return this.#condition(name, filter, form);
    });
    const [leading] = this.#query.order;
    if (start !== undefined && leading !== undefined) conditions.push(start.condition(this.#ref(leading[0])));
    return conditions.length === 0 ? '1 = 1' : conditions.join(' and ');
  }

  #condition(name: string, filter: Filter, form: Form): string {
    if ('entries' in filter) return this.#entryConditions(name, filter.entries, form);
    if ('contains' in filter) {
      const text = this.#value(name);
      return `(${filter.contains.map((column) => this.#dialect.contains(this.#ref(column), text)).join(' or ')})`;
    }
    const column = columnOf(filter);
    const ref = this.#ref(column);
    if ('gte' in filter || 'lt' in filter) {
      const ordered = this.#query.order[0]?.[0] === column;
      return `${ordered ? ref : this.#dialect.aside(ref)} ${'gte' in filter ? '>=' : '<'} ${this.#value(name)}`;
    }
    const expression = this.#way.includes(name) ? ref : this.#dialect.aside(ref);
    if (form === 'null') return `${expression} is null`;
    if (form === 'value') return `${expression} = ${this.#value(name)}`;
    const among = this.#dialect.among(expression, this.#list(name));
    return form === 'many' ? among : `(${among} or ${expression} is null)`;
  }

  #entryConditions(name: string, column: string, form: Form): string {
    const digests = ({ args }: Call) => entryDigests(args[name]);
    const first = `e."digest" = ${this.parameters.add((call) => digests(call)[0])}`;
    if (form === 'entry') return first;
    const side = quoted(physical(this.#prefix, entriesTableOf(this.#query.entity, column)));
    const others = this.parameters.add((call) => this.#dialect.encodeList(digests(call).slice(1), 'text'));
    return `${first} and not exists (select 1 from ${this.#dialect.table(others, 'd', 'text')} where not exists (select 1 from ${side} o where o."record_id" = e."record_id" and o."digest" = d."value"))`;
  }

  #value(name: string): string {
    const kind = this.#kindOf(name);
    return this.parameters.add(({ args }) => this.#dialect.encode(only(args[name]), kind));
  }

  #list(name: string): string {
    const kind = this.#kindOf(name);
    return this.parameters.add(({ args }) => this.#dialect.encodeList(several(args[name]), kind));
  }

  /** What the column of a filter holds; text, where it is about several. */
  #kindOf(name: string): ColumnKind {
    const filter = { ...this.#query.scope, ...this.#query.filters }[name];
    if (filter === undefined || 'contains' in filter) return 'text';
    const columns: Readonly<Record<string, Column>> = entities[this.#query.entity].columns;
    return columns[columnOf(filter)]?.kind ?? 'text';
  }

  #given(): (readonly [string, Filter, Form])[] {
    return Object.entries({ ...this.#query.scope, ...this.#query.filters }).flatMap(([name, filter]) => {
      const form = this.#forms[name];
      return form === undefined ? [] : [[name, filter, form] as const];
    });
  }
}

const isList = (form: Form | undefined) => form === 'many' || form === 'many-or-null';

function columnOf(filter: Filter): string {
  if ('eq' in filter) return filter.eq;
  if ('anyOf' in filter) return filter.anyOf;
  if ('gte' in filter) return filter.gte;
  if ('lt' in filter) return filter.lt;
  throw new TypeError('This filter is about more than one column');
}
