import { type Column, type ColumnKind, type EntityName, entities, type Filter } from '../../../core/model/index.js';
import { entriesTableOf, physicalName, quoteIdentifier, tableOf } from '../identifiers.js';
import { entriesTablesOf, entryDigests } from '../schema/entries-tables.js';
import type { PageStart } from './counter-query.js';
import { Parameters, type StatementInput } from './parameters.js';
import type { QueryDialect } from './query-dialect.js';
import { distinctValues, type FilterForm, type Query, type Shape, singleValue } from './query-shape.js';

/**
 * SQL for the records that match a query, in one shape. The compiler chooses the index, not the planner: the columns of
 * the scope, then of the first supplied filter of `indexed` with one value, then of the order. No other condition may use an
 * index. If a chosen filter has several values, the statement scans each value up to the end of the page and merges the
 * results: a page of the builds in five states costs five short scans and never sorts a whole pipeline.
 *
 * The statements are text, not Knex's query builder, because the builder cannot express what they need: numbered parameters
 * that clauses share, `cross join lateral` over `unnest`, a limited sub-select for each value of a list, and commits as CTEs
 * that change data. Knex's builder is used for tables, indexes and migrations.
 */
export class QueryCompiler {
  readonly parameters: Parameters;
  readonly #query: Query;
  readonly #forms: Readonly<Record<string, FilterForm>>;
  readonly #dialect: QueryDialect;
  readonly #prefix: string;
  /** The entries filter that is used instead of an indexed filter. */
  readonly #leadingEntries: { readonly name: string; readonly column: string; readonly form: FilterForm } | undefined;
  /** The filters whose columns are the first of the scanned index. */
  readonly #indexedFilters: readonly string[];

  constructor(query: Query, shape: Shape, dialect: QueryDialect, prefix: string, firstParameter = 1) {
    this.parameters = new Parameters(dialect.parameterSign, firstParameter);
    this.#query = query;
    this.#forms = shape.forms;
    this.#dialect = dialect;
    this.#prefix = prefix;
    this.#leadingEntries = this.#suppliedFilters()
      .map(([name, filter, form]) => ('entries' in filter ? { name, column: filter.entries, form } : undefined))
      .find((found) => found !== undefined);
    const scope = Object.keys(query.scope);
    const indexed = (query.indexed ?? []).filter((name) => this.#forms[name] !== undefined);
    const chosen = indexed.find((name) => !isList(this.#forms[name])) ?? indexed[0];
    this.#indexedFilters = this.#leadingEntries !== undefined || chosen === undefined ? scope : [...scope, chosen];
  }

  /** Selects `id` and `version` of one page, in the query's order; `start` is where to begin instead of at the first record. */
  pageSql(limit: string, skip?: string, start?: PageStart): string {
    const offset = start === undefined ? skip : start.offsetInDay;
    const order = this.#query.order.map(([column, direction]) => [`b.${quoteIdentifier(column)}`, direction] as const);
    const window = `order by ${this.#orderTerms(order)} ${this.#dialect.limitOffset(limit, offset)}`;
    const lists = this.#indexedFilters.filter((name) => this.#forms[name] === 'many');
    if (lists.length === 0) {
      return `select b."id", b."version" from ${this.#fromClause()} where ${this.#conditions(new Map(), start)} ${this.#orderAndLimit(limit, offset)}`;
    }
    const tables = lists.map((name, index) =>
      this.#dialect.listTable(this.#listParameter(name), `v${index}`, this.#kindOf(name)),
    );
    const values = new Map(lists.map((name, index) => [name, `v${index}."value"`]));
    const rowsPerValue = offset === undefined ? limit : `${limit} + ${offset}`;
    if (this.#dialect.supportsLateral) {
      const columns = new Set(['id', 'version', ...this.#query.order.map(([column]) => column)]);
      const selectedColumns = [...columns]
        .map((column) => `${this.#columnRef(column)} as ${quoteIdentifier(column)}`)
        .join(', ');
      const each = `select ${selectedColumns} from ${this.#fromClause()} where ${this.#conditions(values, start)} ${this.#orderAndLimit(rowsPerValue, undefined, values)}`;
      return `select b."id", b."version" from ${tables.join(' cross join ')} cross join lateral (${each}) b ${window}`;
    }
    const one = `select ${this.#columnRef('id')} from ${this.#fromClause()} where ${this.#conditions(values, start)} ${this.#orderAndLimit(rowsPerValue, undefined, values)}`;
    return `select b."id", b."version" from ${tables.join(' cross join ')} cross join ${this.#table(this.#query.entity)} b where b."id" in (${one}) ${window}`;
  }

  /** Selects a row for each match, in no order, at most `limit`. */
  anySql(limit: string): string {
    return `select 1 from ${this.#fromClause()} where ${this.#conditions()} ${this.#dialect.limitOffset(limit, undefined)}`;
  }

  #orderAndLimit(limit: string, offset?: string, values?: ReadonlyMap<string, string>): string {
    if (this.#matchesUniqueKey(values)) return this.#dialect.limitOffset(limit, offset);
    const order = this.#query.order.map(([column, direction]) => [this.#columnRef(column), direction] as const);
    return `order by ${this.#orderTerms(order)} ${this.#dialect.limitOffset(limit, offset)}`;
  }

  /** Whether the supplied filters contain a unique key. At most one record matches then, so no order is needed. */
  #matchesUniqueKey(values?: ReadonlyMap<string, string>): boolean {
    const equal = this.#suppliedFilters().flatMap(([name, filter, form]) =>
      (form === 'value' || values?.has(name)) && !('contains' in filter) ? [filter] : [],
    );
    const columns = equal.flatMap((filter) => ('eq' in filter || 'anyOf' in filter ? [columnOf(filter)] : []));
    return Object.values(entities[this.#query.entity].unique).some((key) => key.every((one) => columns.includes(one)));
  }

  #orderTerms(order: readonly (readonly [string, 'asc' | 'desc'])[]): string {
    return order.map(([expression, direction]) => this.#dialect.orderTerm(expression, direction)).join(', ');
  }

  #fromClause(): string {
    const table = this.#table(this.#query.entity);
    if (this.#leadingEntries === undefined) return `${table} b`;
    const entriesTable = quoteIdentifier(
      physicalName(this.#prefix, entriesTableOf(this.#query.entity, this.#leadingEntries.column)),
    );
    return `${entriesTable} e ${this.#dialect.joinById(table, 'e."record_id"')}`;
  }

  #table(entity: EntityName): string {
    return quoteIdentifier(physicalName(this.#prefix, tableOf(entity)));
  }

  /** A reference to a column: in the entries table if that is scanned and has a copy of the column. */
  #columnRef(column: string): string {
    if (this.#leadingEntries === undefined) return `b.${quoteIdentifier(column)}`;
    if (column === 'id') return 'e."record_id"';
    const { column: searched } = this.#leadingEntries;
    const entriesTable = entriesTablesOf(this.#query.entity).find((table) => table.column === searched);
    return `${entriesTable?.copiedColumns.includes(column) ? 'e' : 'b'}.${quoteIdentifier(column)}`;
  }

  #conditions(values: ReadonlyMap<string, string> = new Map(), start?: PageStart): string {
    const conditions = this.#suppliedFilters().map(([name, filter, form]) => {
      const value = values.get(name);
      if (value !== undefined) return `${this.#columnRef(columnOf(filter))} = ${value}`;
      return this.#condition(name, filter, form);
    });
    const [leading] = this.#query.order;
    if (start !== undefined && leading !== undefined) conditions.push(start.condition(this.#columnRef(leading[0])));
    return conditions.length === 0 ? '1 = 1' : conditions.join(' and ');
  }

  #condition(name: string, filter: Filter, form: FilterForm): string {
    if ('entries' in filter) return this.#entryConditions(name, filter.entries, form);
    if ('contains' in filter) {
      const text = this.#valueParameter(name);
      return `(${filter.contains.map((column) => this.#dialect.contains(this.#columnRef(column), text)).join(' or ')})`;
    }
    const column = columnOf(filter);
    const ref = this.#columnRef(column);
    if ('gte' in filter || 'lt' in filter) {
      const ordered = this.#query.order[0]?.[0] === column;
      return `${ordered ? ref : this.#dialect.withoutIndex(ref)} ${'gte' in filter ? '>=' : '<'} ${this.#valueParameter(name)}`;
    }
    const expression = this.#indexedFilters.includes(name) ? ref : this.#dialect.withoutIndex(ref);
    if (form === 'null') return `${expression} is null`;
    if (form === 'value') return `${expression} = ${this.#valueParameter(name)}`;
    const inList = this.#dialect.inList(expression, this.#listParameter(name));
    return form === 'many' ? inList : `(${inList} or ${expression} is null)`;
  }

  #entryConditions(name: string, column: string, form: FilterForm): string {
    const digests = ({ args }: StatementInput) => entryDigests(args[name]);
    const first = `e."digest" = ${this.parameters.add((input) => digests(input)[0])}`;
    if (form === 'entry') return first;
    const entriesTable = quoteIdentifier(physicalName(this.#prefix, entriesTableOf(this.#query.entity, column)));
    const others = this.parameters.add((input) => this.#dialect.encodeList(digests(input).slice(1), 'text'));
    return `${first} and not exists (select 1 from ${this.#dialect.listTable(others, 'd', 'text')} where not exists (select 1 from ${entriesTable} o where o."record_id" = e."record_id" and o."digest" = d."value"))`;
  }

  #valueParameter(name: string): string {
    const kind = this.#kindOf(name);
    return this.parameters.add(({ args }) => this.#dialect.encode(singleValue(args[name]), kind));
  }

  #listParameter(name: string): string {
    const kind = this.#kindOf(name);
    return this.parameters.add(({ args }) => this.#dialect.encodeList(distinctValues(args[name]), kind));
  }

  /** The kind of a filter's column; text for a filter on several columns. */
  #kindOf(name: string): ColumnKind {
    const filter = { ...this.#query.scope, ...this.#query.filters }[name];
    if (filter === undefined || 'contains' in filter) return 'text';
    const columns: Readonly<Record<string, Column>> = entities[this.#query.entity].columns;
    return columns[columnOf(filter)]?.kind ?? 'text';
  }

  #suppliedFilters(): (readonly [string, Filter, FilterForm])[] {
    return Object.entries({ ...this.#query.scope, ...this.#query.filters }).flatMap(([name, filter]) => {
      const form = this.#forms[name];
      return form === undefined ? [] : [[name, filter, form] as const];
    });
  }
}

const isList = (form: FilterForm | undefined) => form === 'many' || form === 'many-or-null';

function columnOf(filter: Filter): string {
  if ('eq' in filter) return filter.eq;
  if ('anyOf' in filter) return filter.anyOf;
  if ('gte' in filter) return filter.gte;
  if ('lt' in filter) return filter.lt;
  throw new TypeError('This filter is about more than one column');
}
