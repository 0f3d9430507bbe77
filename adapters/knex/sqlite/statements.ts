import { declared, type QueryName } from '../../../core/model/index.js';
import { CompiledOnce } from '../compile/compiled-once.js';
import { type AtOnce, byKeys } from '../compile/keys.js';
import { Matching, type Query } from '../compile/matching.js';
import { type Call, Parameters } from '../compile/parameters.js';
import type { Shape } from '../compile/shape.js';
import { Tallying } from '../compile/tallying.js';
import { sqliteDialect } from './dialect.js';
import { rowsSql } from './rows.js';

export interface Compiled {
  readonly sql: string;
  bind(call: Call): unknown[];
}

/** The statements of the declared queries, each built once for the shapes in which it is asked. */
export class Statements {
  readonly #prefix: string;
  readonly #compiled = new CompiledOnce<Compiled>();
  readonly #atOnce = new CompiledOnce<AtOnce | undefined>();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** `[stamps, count]` of a page as JSON; the count is null unless `counted`. Numbers: limit, offset, count. */
  find(name: QueryName, shape: Shape, counted: boolean, far = false): Compiled {
    return this.#compiled.get(`find ${name} ${counted} ${far} ${shape.key}`, () => {
      const matching = this.#matching(name, shape);
      const { parameters } = matching;
      const tallying = this.#tallying(name, shape, parameters);
      const offset = parameters.number('offset');
      const start = far ? tallying.start(offset) : undefined;
      const page = matching.page(parameters.number('limit'), offset, start);
      const counting = () => tallying.total ?? `(select count(*) from (${matching.any(parameters.number('count'))}))`;
      const stamps = `(select json_group_array(json_array("id", "version")) from (${page}))`;
      const tables = start === undefined ? '' : `with ${start.tables} `;
      return compiled(`${tables}select json_array(${stamps}, ${counted ? counting() : 'null'}) as "json"`, parameters);
    });
  }

  /** Lists of place, id and version, as `byKeys` tells, in JSON; undefined if calls may name more than one record each. */
  findEach(name: QueryName, shape: Shape): AtOnce | undefined {
    return this.#atOnce.get(`${name} ${shape.key}`, () => {
      const each = byKeys(query(name), shape, sqliteDialect, this.#prefix);
      const lists = `json_group_array(json_array("place", "id", "version"))`;
      return each && { ...each, text: `select ${lists} as "json" from (${each.text})` };
    });
  }

  /** The first rows with their relations, as `rowsFrom` reads them. Numbers: limit. */
  select(name: QueryName, shape: Shape): Compiled {
    return this.#compiled.get(`select ${name} ${shape.key}`, () => {
      const matching = this.#matching(name, shape);
      const page = `select "id" from (${matching.page(matching.parameters.number('limit'))})`;
      return compiled(rowsSql(query(name), page, this.#prefix), matching.parameters);
    });
  }

  /** Rows by ids, given as a JSON array, with their relations. */
  load(name: QueryName): string {
    return this.#compiled.get(`load ${name}`, () => {
      const page = 'select distinct "value" from json_each(?1)';
      return { sql: rowsSql(query(name), page, this.#prefix), bind: () => [] };
    }).sql;
  }

  /** Values of a column and how many records have them, as a list of pairs in JSON. */
  counts(name: QueryName, shape: Shape, by: string): Compiled {
    return this.#compiled.get(`counts ${name} ${by} ${shape.key}`, () => {
      const parameters = new Parameters(sqliteDialect.sign);
      const counts = this.#tallying(name, shape, parameters).counts(by);
      return compiled(`select json_group_array(json_array("value", "count")) as "json" from (${counts})`, parameters);
    });
  }

  /** A row if anything matches. */
  any(name: QueryName, shape: Shape): Compiled {
    return this.#compiled.get(`any ${name} ${shape.key}`, () => {
      const matching = this.#matching(name, shape);
      return compiled(matching.any('1'), matching.parameters);
    });
  }

  #matching(name: QueryName, shape: Shape): Matching {
    return new Matching(query(name), shape, sqliteDialect, this.#prefix);
  }

  #tallying(name: QueryName, shape: Shape, parameters: Parameters): Tallying {
    return new Tallying(query(name), shape, sqliteDialect, this.#prefix, parameters);
  }
}

const query = (name: QueryName): Query => declared(name);

const compiled = (sql: string, parameters: Parameters): Compiled => ({ sql, bind: (call) => parameters.bind(call) });
