import { declared, type QueryName } from '../../../core/model/index.js';
import { Matching, type Query } from '../compile/matching.js';
import type { Call, Parameters } from '../compile/parameters.js';
import type { Shape } from '../compile/shape.js';
import { sqliteDialect } from './dialect.js';
import { rowsSql } from './rows.js';

export interface Compiled {
  readonly sql: string;
  bind(call: Call): unknown[];
}

/** The statements of the declared queries, each built once for the shapes in which it is asked. */
export class Statements {
  readonly #prefix: string;
  readonly #compiled = new Map<string, Compiled>();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** `[stamps, count]` of a page as JSON; the count is null unless `counted`. Numbers: limit, offset, count. */
  find(name: QueryName, shape: Shape, counted: boolean): Compiled {
    return this.#once(`find ${name} ${counted} ${shape.key}`, () => {
      const matching = this.#matching(name, shape);
      const { parameters } = matching;
      const page = matching.page(parameters.number('limit'), parameters.number('offset'));
      const count = counted ? `(select count(*) from (${matching.any(parameters.number('count'))}))` : 'null';
      const stamps = `(select json_group_array(json_array("id", "version")) from (${page}))`;
      return compiled(`select json_array(${stamps}, ${count}) as "json"`, parameters);
    });
  }

  /** The first rows with their relations, as `rowsFrom` reads them. Numbers: limit. */
  select(name: QueryName, shape: Shape): Compiled {
    return this.#once(`select ${name} ${shape.key}`, () => {
      const matching = this.#matching(name, shape);
      const page = `select "id" from (${matching.page(matching.parameters.number('limit'))})`;
      return compiled(rowsSql(query(name), page, this.#prefix), matching.parameters);
    });
  }

  /** Rows by ids, given as a JSON array, with their relations. */
  load(name: QueryName): string {
    return this.#once(`load ${name}`, () => {
      const page = 'select distinct "value" from json_each(?1)';
      return { sql: rowsSql(query(name), page, this.#prefix), bind: () => [] };
    }).sql;
  }

  /** A row if anything matches. */
  any(name: QueryName, shape: Shape): Compiled {
    return this.#once(`any ${name} ${shape.key}`, () => {
      const matching = this.#matching(name, shape);
      return compiled(matching.any('1'), matching.parameters);
    });
  }

  #matching(name: QueryName, shape: Shape): Matching {
    return new Matching(query(name), shape, sqliteDialect, this.#prefix);
  }

  #once(key: string, make: () => Compiled): Compiled {
    let found = this.#compiled.get(key);
    if (found === undefined) {
      found = make();
      if (this.#compiled.size >= mostStatements) this.#compiled.clear();
      this.#compiled.set(key, found);
    }
    return found;
  }
}

/** Filters combine into many shapes; a client that tries them all must not fill the memory. */
const mostStatements = 2_000;

const query = (name: QueryName): Query => declared(name);

const compiled = (sql: string, parameters: Parameters): Compiled => ({ sql, bind: (call) => parameters.bind(call) });
