import { declared, type QueryName } from '../../../core/model/index.js';
import { Matching, type Query } from '../compile/matching.js';
import type { Call } from '../compile/parameters.js';
import type { Shape } from '../compile/shape.js';
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
  readonly #compiled = new Map<string, Compiled>();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** The stamps of a page. Numbers: limit, offset. */
  find(name: QueryName, shape: Shape): Compiled {
    return this.#once(`find ${name} ${shape.key}`, () => {
      const matching = this.#matching(name, shape);
      const { parameters } = matching;
      return compiled(matching.page(parameters.number('limit'), parameters.number('offset')), matching);
    });
  }

  /**
   * The same for a page that is far from the first one: what stands before it is passed over in the index alone, and only
   * the rows of the page are read for their versions.
   */
  findDeep(name: QueryName, shape: Shape): Compiled {
    return this.#once(`deep ${name} ${shape.key}`, () => {
      const { entity, order } = query(name);
      const matching = this.#matching(name, shape);
      const page = matching.page(matching.parameters.number('limit'), matching.parameters.number('offset'));
      const rows = followed(quoted(physical(this.#prefix, tableOf(entity))), 'p."id"');
      const terms = order.map(([column, direction]) => postgresDialect.ordered(`b.${quoted(column)}`, direction));
      return compiled(`select b."id", b."version" from (${page}) p ${rows} order by ${terms.join(', ')}`, matching);
    });
  }

  /** How many match, counted no further than `limit`. */
  count(name: QueryName, shape: Shape): Compiled {
    return this.#once(`count ${name} ${shape.key}`, () => {
      const matching = this.#matching(name, shape);
      return compiled(`select count(*) from (${matching.any(matching.parameters.number('limit'))}) as m`, matching);
    });
  }

  /** The first rows with their relations, as `rowsFrom` reads them. Numbers: limit. */
  select(name: QueryName, shape: Shape): Compiled {
    return this.#once(`select ${name} ${shape.key}`, () => {
      const matching = this.#matching(name, shape);
      const page = `(${matching.page(matching.parameters.number('limit'))})`;
      return compiled(rowsSql(query(name), page, this.#prefix, postgresDialect.ordered), matching);
    });
  }

  /** Rows by ids, each of them named once, with their relations. */
  load(name: QueryName, ids: readonly string[]): Statement {
    const { text } = this.#once(`load ${name}`, () => ({
      text: rowsSql(query(name), '(select unnest($1::uuid[]) as "id")', this.#prefix),
      bind: () => [],
    }));
    return { text, values: [ids] };
  }

  /** Raises the number `place` if anything matches. */
  none(name: QueryName, shape: Shape): Compiled {
    return this.#once(`none ${name} ${shape.key}`, () => {
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

/** The statement with the values of a call. */
export const calling = ({ text, bind }: Compiled, call: Call): Statement => ({ text, values: bind(call) });

/** Filters combine into many shapes; a client that tries them all must not fill the memory. */
const mostStatements = 2_000;

const query = (name: QueryName): Query => declared(name);

const compiled = (text: string, { parameters }: Matching): Compiled => ({
  text,
  bind: (call) => parameters.bind(call),
});
