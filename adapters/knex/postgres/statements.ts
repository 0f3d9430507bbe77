import { declared, type QueryName } from '../../../core/model/index.js';
import { CompiledOnce } from '../compile/compiled-once.js';
import { type AtOnce, byKeys } from '../compile/keys.js';
import { Matching, type Query } from '../compile/matching.js';
import type { Call } from '../compile/parameters.js';
import { Parameters } from '../compile/parameters.js';
import type { Shape } from '../compile/shape.js';
import { Tallying } from '../compile/tallying.js';
import { physical, quoted, tableOf } from '../names.js';
import { followed, postgresDialect } from './dialect.js';
import { rowsSql } from './rows.js';
import type { Statement } from './session.js';

export interface Compiled {
  readonly text: string;
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

  /** The stamps of a page. Numbers: limit, offset. */
  find(name: QueryName, shape: Shape): Compiled {
    return this.#compiled.get(`find ${name} ${shape.key}`, () => {
      const matching = this.#matching(name, shape);
      const { parameters } = matching;
      return compiled(matching.page(parameters.number('limit'), parameters.number('offset')), matching);
    });
  }

  /** The stamps of the records that many calls name, as `byKeys` tells; undefined if they may name more than one each. */
  findEach(name: QueryName, shape: Shape): AtOnce | undefined {
    return this.#atOnce.get(`${name} ${shape.key}`, () => byKeys(query(name), shape, postgresDialect, this.#prefix));
  }

  /**
   * The same for a page that is far from the first one. It begins on its day if that can be told from tallies; what stands
   * before it is passed over in the index alone, and only the rows of the page are read for their versions.
   */
  findDeep(name: QueryName, shape: Shape): Compiled {
    return this.#compiled.get(`deep ${name} ${shape.key}`, () => {
      const { entity, order } = query(name);
      const matching = this.#matching(name, shape);
      const { parameters } = matching;
      const offset = parameters.number('offset');
      const start = this.#tallying(name, shape, parameters).start(offset);
      const page = matching.page(parameters.number('limit'), offset, start);
      const tables = start === undefined ? '' : `with ${start.tables} `;
      const rows = followed(quoted(physical(this.#prefix, tableOf(entity))), 'p."id"');
      const terms = order.map(([column, direction]) => postgresDialect.ordered(`b.${quoted(column)}`, direction));
      return compiled(
        `${tables}select b."id", b."version" from (${page}) p ${rows} order by ${terms.join(', ')}`,
        matching,
      );
    });
  }

  /** How many match, counted no further than `limit`. */
  count(name: QueryName, shape: Shape): Compiled {
    return this.#compiled.get(`count ${name} ${shape.key}`, () => {
      const matching = this.#matching(name, shape);
      const { total } = this.#tallying(name, shape, matching.parameters);
      if (total !== undefined) return compiled(`select ${total}`, matching);
      return compiled(`select count(*) from (${matching.any(matching.parameters.number('limit'))}) as m`, matching);
    });
  }

  /** Values of a column and how many records have them. */
  counts(name: QueryName, shape: Shape, by: string): Compiled {
    return this.#compiled.get(`counts ${name} ${by} ${shape.key}`, () => {
      const parameters = new Parameters(postgresDialect.sign);
      const text = this.#tallying(name, shape, parameters).counts(by);
      return { text, bind: (call) => parameters.bind(call) };
    });
  }

  /** The first rows with their relations, as `rowsFrom` reads them. Numbers: limit. */
  select(name: QueryName, shape: Shape): Compiled {
    return this.#compiled.get(`select ${name} ${shape.key}`, () => {
      const matching = this.#matching(name, shape);
      const page = `(${matching.page(matching.parameters.number('limit'))})`;
      return compiled(rowsSql(query(name), page, this.#prefix, postgresDialect.ordered), matching);
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

  /** Raises the number `place` if anything matches. */
  none(name: QueryName, shape: Shape): Compiled {
    return this.#compiled.get(`none ${name} ${shape.key}`, () => {
      const matching = this.#matching(name, shape);
      const any = matching.any('1');
      const place = matching.parameters.number('place');
      const raising = `cast('millrace ' || ${place}::text || ' ' || m.hit::text as integer)`;
      return compiled(`select ${raising} from (${any}) as m(hit)`, matching);
    });
  }

  #matching(name: QueryName, shape: Shape): Matching {
    return new Matching(query(name), shape, postgresDialect, this.#prefix);
  }

  #tallying(name: QueryName, shape: Shape, parameters: Parameters): Tallying {
    return new Tallying(query(name), shape, postgresDialect, this.#prefix, parameters);
  }
}

/** The statement with the values of a call. */
export const calling = ({ text, bind }: Compiled, call: Call): Statement => ({ text, values: bind(call) });

const query = (name: QueryName): Query => declared(name);

const compiled = (text: string, { parameters }: Matching): Compiled => ({
  text,
  bind: (call) => parameters.bind(call),
});
