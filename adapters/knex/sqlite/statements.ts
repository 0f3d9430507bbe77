import { type QueryName, queryDefinition } from '../../../core/model/index.js';
import { CounterQuery } from '../compile/counter-query.js';
import { Parameters, type StatementInput } from '../compile/parameters.js';
import { QueryCompiler } from '../compile/query-compiler.js';
import type { Query, Shape } from '../compile/query-shape.js';
import { StatementCache } from '../compile/statement-cache.js';
import { compileUniqueKeyLookup, type UniqueKeyLookup } from '../compile/unique-key-lookup.js';
import { sqliteQueryDialect } from './dialect.js';
import { rowsSql } from './rows.js';

export interface CompiledStatement {
  readonly sql: string;
  bind(input: StatementInput): unknown[];
}

/** The statements of the declared queries, each built once per shape. */
export class QueryStatements {
  readonly #prefix: string;
  readonly #compiled = new StatementCache<CompiledStatement>();
  readonly #uniqueKeyLookups = new StatementCache<UniqueKeyLookup | undefined>();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** `[stamps, count]` of a page as JSON; the count is null unless `counted`. Numbers: limit, offset, count. */
  find(name: QueryName, shape: Shape, withTotal: boolean, deep = false): CompiledStatement {
    return this.#compiled.get(`find ${name} ${withTotal} ${deep} ${shape.key}`, () => {
      const compiler = this.#queryCompiler(name, shape);
      const { parameters } = compiler;
      const counterQuery = this.#counterQuery(name, shape, parameters);
      const offset = parameters.number('offset');
      const start = deep ? counterQuery.pageStart(offset) : undefined;
      const page = compiler.pageSql(parameters.number('limit'), offset, start);
      const totalSql = () =>
        counterQuery.total ?? `(select count(*) from (${compiler.anySql(parameters.number('count'))}))`;
      const stamps = `(select json_group_array(json_array("id", "version")) from (${page}))`;
      const ctes = start === undefined ? '' : `with ${start.ctes} `;
      return compiledStatement(
        `${ctes}select json_array(${stamps}, ${withTotal ? totalSql() : 'null'}) as "json"`,
        parameters,
      );
    });
  }

  /** JSON lists of place, id and version (see `compileUniqueKeyLookup`); undefined if a call may match more than one record. */
  findByUniqueKeys(name: QueryName, shape: Shape): UniqueKeyLookup | undefined {
    return this.#uniqueKeyLookups.get(`${name} ${shape.key}`, () => {
      const lookup = compileUniqueKeyLookup(query(name), shape, sqliteQueryDialect, this.#prefix);
      const lists = `json_group_array(json_array("place", "id", "version"))`;
      return lookup && { ...lookup, text: `select ${lists} as "json" from (${lookup.text})` };
    });
  }

  /** The first rows with their relations, as `rowsFrom` reads them. Numbers: limit. */
  select(name: QueryName, shape: Shape): CompiledStatement {
    return this.#compiled.get(`select ${name} ${shape.key}`, () => {
      const compiler = this.#queryCompiler(name, shape);
      const page = `select "id" from (${compiler.pageSql(compiler.parameters.number('limit'))})`;
      return compiledStatement(rowsSql(query(name), page, this.#prefix), compiler.parameters);
    });
  }

  /** Rows with their relations, by a JSON array of ids. */
  load(name: QueryName): string {
    return this.#compiled.get(`load ${name}`, () => {
      const page = 'select distinct "value" from json_each(?1)';
      return { sql: rowsSql(query(name), page, this.#prefix), bind: () => [] };
    }).sql;
  }

  /** Values of a column and how many records have them, as a list of pairs in JSON. */
  counts(name: QueryName, shape: Shape, by: string): CompiledStatement {
    return this.#compiled.get(`counts ${name} ${by} ${shape.key}`, () => {
      const parameters = new Parameters(sqliteQueryDialect.parameterSign);
      const counts = this.#counterQuery(name, shape, parameters).counts(by);
      return compiledStatement(
        `select json_group_array(json_array("value", "count")) as "json" from (${counts})`,
        parameters,
      );
    });
  }

  /** A row if anything matches. */
  any(name: QueryName, shape: Shape): CompiledStatement {
    return this.#compiled.get(`any ${name} ${shape.key}`, () => {
      const compiler = this.#queryCompiler(name, shape);
      return compiledStatement(compiler.anySql('1'), compiler.parameters);
    });
  }

  #queryCompiler(name: QueryName, shape: Shape): QueryCompiler {
    return new QueryCompiler(query(name), shape, sqliteQueryDialect, this.#prefix);
  }

  #counterQuery(name: QueryName, shape: Shape, parameters: Parameters): CounterQuery {
    return new CounterQuery(query(name), shape, sqliteQueryDialect, this.#prefix, parameters);
  }
}

const query = (name: QueryName): Query => queryDefinition(name);

const compiledStatement = (sql: string, parameters: Parameters): CompiledStatement => ({
  sql,
  bind: (input) => parameters.bind(input),
});
