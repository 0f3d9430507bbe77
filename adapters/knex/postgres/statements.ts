import { type QueryName, queryDefinition } from '../../../core/model/index.js';
import { CounterQuery } from '../compile/counter-query.js';
import type { StatementInput } from '../compile/parameters.js';
import { Parameters } from '../compile/parameters.js';
import { QueryCompiler } from '../compile/query-compiler.js';
import type { Query, Shape } from '../compile/query-shape.js';
import { StatementCache } from '../compile/statement-cache.js';
import { compileUniqueKeyLookup, type UniqueKeyLookup } from '../compile/unique-key-lookup.js';
import { physicalName, quoteIdentifier, tableOf } from '../identifiers.js';
import { joinById, postgresQueryDialect } from './dialect.js';
import { rowsSql } from './rows.js';
import type { Statement } from './session.js';
import type { SqlFragment } from './sql-fragments.js';

export interface CompiledStatement {
  readonly text: string;
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

  /** The stamps of a page. Numbers: limit, offset. */
  find(name: QueryName, shape: Shape): CompiledStatement {
    return this.#compiled.get(`find ${name} ${shape.key}`, () => {
      const compiler = this.#queryCompiler(name, shape);
      const { parameters } = compiler;
      return compiledStatement(compiler.pageSql(parameters.number('limit'), parameters.number('offset')), compiler);
    });
  }

  /** The stamps for many calls (see `compileUniqueKeyLookup`); undefined if a call may match more than one record. */
  findByUniqueKeys(name: QueryName, shape: Shape): UniqueKeyLookup | undefined {
    return this.#uniqueKeyLookups.get(`${name} ${shape.key}`, () =>
      compileUniqueKeyLookup(query(name), shape, postgresQueryDialect, this.#prefix),
    );
  }

  /**
   * The same for a page that is far from the first one. It begins on its day if that can be told from tallies; what stands
   * before it is passed over in the index alone, and only the rows of the page are read for their versions.
   */
  findDeep(name: QueryName, shape: Shape): CompiledStatement {
    return this.#compiled.get(`deep ${name} ${shape.key}`, () => {
      const { entity, order } = query(name);
      const compiler = this.#queryCompiler(name, shape);
      const { parameters } = compiler;
      const offset = parameters.number('offset');
      const start = this.#counterQuery(name, shape, parameters).pageStart(offset);
      const page = compiler.pageSql(parameters.number('limit'), offset, start);
      const ctes = start === undefined ? '' : `with ${start.ctes} `;
      const rows = joinById(quoteIdentifier(physicalName(this.#prefix, tableOf(entity))), 'p."id"');
      const terms = order.map(([column, direction]) =>
        postgresQueryDialect.orderTerm(`b.${quoteIdentifier(column)}`, direction),
      );
      return compiledStatement(
        `${ctes}select b."id", b."version" from (${page}) p ${rows} order by ${terms.join(', ')}`,
        compiler,
      );
    });
  }

  /** How many match, counted no further than `limit`. */
  count(name: QueryName, shape: Shape): CompiledStatement {
    return this.#compiled.get(`count ${name} ${shape.key}`, () => {
      const compiler = this.#queryCompiler(name, shape);
      const { total } = this.#counterQuery(name, shape, compiler.parameters);
      if (total !== undefined) return compiledStatement(`select ${total}`, compiler);
      return compiledStatement(
        `select count(*) from (${compiler.anySql(compiler.parameters.number('limit'))}) as m`,
        compiler,
      );
    });
  }

  /** Values of a column and how many records have them. */
  counts(name: QueryName, shape: Shape, by: string): CompiledStatement {
    return this.#compiled.get(`counts ${name} ${by} ${shape.key}`, () => {
      const parameters = new Parameters(postgresQueryDialect.parameterSign);
      const text = this.#counterQuery(name, shape, parameters).counts(by);
      return { text, bind: (input) => parameters.bind(input) };
    });
  }

  /** The first rows with their relations, as `rowsFrom` reads them. Numbers: limit. */
  select(name: QueryName, shape: Shape): CompiledStatement {
    return this.#compiled.get(`select ${name} ${shape.key}`, () => {
      const compiler = this.#queryCompiler(name, shape);
      const page = `(${compiler.pageSql(compiler.parameters.number('limit'))})`;
      return compiledStatement(rowsSql(query(name), page, this.#prefix, postgresQueryDialect.orderTerm), compiler);
    });
  }

  /** Rows by ids, each of them named once, with their relations. */
  load(name: QueryName, ids: readonly string[]): Statement {
    const { text } = this.#compiled.get(`load ${name}`, () => ({
      text: rowsSql(query(name), '(select unnest($1::uuid[]) as "id")', this.#prefix),
      bind: () => [],
    }));
    return { text, values: [ids] };
  }

  /** A row if anything matches. */
  any(name: QueryName, shape: Shape, args: StatementInput['args']): SqlFragment {
    const compile = (firstParameter: number, condition: string) => {
      const compiler = this.#queryCompiler(name, shape, firstParameter);
      return compiledStatement(
        `select null::uuid as "id" from (${compiler.anySql('1')}) m where ${condition}`,
        compiler,
      );
    };
    const key = `any ${name} ${shape.key}`;
    const { bind } = this.#compiled.get(key, () => compile(1, 'true'));
    const text = (firstParameter: number, condition: string) => compile(firstParameter, condition).text;
    return { key, values: bind({ args, numbers: {} }), text };
  }

  #queryCompiler(name: QueryName, shape: Shape, firstParameter = 1): QueryCompiler {
    return new QueryCompiler(query(name), shape, postgresQueryDialect, this.#prefix, firstParameter);
  }

  #counterQuery(name: QueryName, shape: Shape, parameters: Parameters): CounterQuery {
    return new CounterQuery(query(name), shape, postgresQueryDialect, this.#prefix, parameters);
  }
}

/** The statement with the values of a call. */
export const bindStatement = ({ text, bind }: CompiledStatement, input: StatementInput): Statement => ({
  text,
  values: bind(input),
});

const query = (name: QueryName): Query => queryDefinition(name);

const compiledStatement = (text: string, { parameters }: QueryCompiler): CompiledStatement => ({
  text,
  bind: (input) => parameters.bind(input),
});
