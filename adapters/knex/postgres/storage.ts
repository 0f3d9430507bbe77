import { declared, type QueryName } from '../../../core/model/index.js';
import type { Stamp, Storage } from '../../../core/ports/index.js';
import { shapeOf } from '../compile/shape.js';
import { deep } from '../compile/tallying.js';
import { gathered, type Reads } from '../gathered.js';
import { physical, quoted } from '../names.js';
import { numbering } from '../numbering.js';
import type { LentOptions, PostgresOptions } from '../options.js';
import { Commits } from './commit.js';
import { Connections } from './connections.js';
import { Outbox } from './events.js';
import { migrate } from './migrate.js';
import { type Connected, Replicas } from './replicas.js';
import { rowsFrom } from './rows.js';
import type { Statement } from './session.js';
import { calling, Statements } from './statements.js';
import { UniqueKeys } from './unique-keys.js';
import { isId, type Wire } from './values.js';

export function postgresStorage(options: PostgresOptions | LentOptions, prefix: string): Storage {
  const connections = new Connections(options);
  const replicas = 'replicas' in options ? new Replicas(options, connections) : undefined;
  const connected: Connected = replicas ?? connections;
  const statements = new Statements(prefix);
  const commits = new Commits(connections, statements, prefix, new UniqueKeys(prefix));
  const outbox = new Outbox(connections, prefix);
  const sequences = quoted(physical(prefix, 'sequences'));

  /** The rows in the table that a statement answers. */
  const rowsOf = async (name: QueryName, statement: Statement): Promise<never[]> => {
    const [answer] = await connected.flight([statement]);
    return rowsFrom(declared(name), answer ?? []) as never[];
  };

  const ungathered: Reads = {
    findEach: (name, shape) => {
      const each = statements.findEach(name, shape);
      if (each === undefined) return undefined;
      return async (calls) => {
        const [found = []] = await connected.flight([{ text: each.text, values: each.bind(calls) }]);
        return found.map(([place, ...stamp]) => [Number(place), stampFrom(stamp)]);
      };
    },

    find: async (name, args, { offset, limit, countUpTo }) => {
      const shape = shapeOf(declared(name), args);
      if (shape.empty) return { stamps: [], more: false, ...(countUpTo !== undefined && { total: 0 }) };
      const finding = offset < deep ? statements.find(name, shape) : statements.findDeep(name, shape);
      const page = calling(finding, { args, numbers: { limit: limit + 1, offset } });
      const counted = calling(statements.count(name, shape), { args, numbers: { limit: (countUpTo ?? 0) + 1 } });
      const [found = [], counts] = await connected.flight(countUpTo === undefined ? [page] : [page, counted]);
      const stamps = found.slice(0, limit).map(stampFrom);
      const more = found.length > limit;
      const total = Number(counts?.[0]?.[0]);
      return countUpTo === undefined || total > countUpTo ? { stamps, more } : { stamps, more, total };
    },

    load: async (name, ids) => {
      const possible = [...new Set(ids)].filter(isId);
      if (possible.length === 0) return [];
      return rowsOf(name, statements.load(name, possible));
    },

    select: async (name, args, limit) => {
      const shape = shapeOf(declared(name), args);
      if (shape.empty || limit < 1) return [];
      const asked = calling(statements.select(name, shape), { args, numbers: { limit } });
      return rowsOf(name, asked);
    },

    count: async (name, args, by) => {
      const shape = shapeOf(declared(name), args);
      if (shape.empty) return {};
      const [counts = []] = await connected.flight([
        calling(statements.counts(name, shape, by), { args, numbers: {} }),
      ]);
      return Object.fromEntries(counts.map(([value, count]) => [value, Number(count)]));
    },
  };

  return {
    claims: { name: 'postgres', durable: true, shared: true },

    prepare: () => migrate(connections, prefix),

    // The server may be far away: nobody waits for somebody else's trip.
    ...gathered(ungathered, { inTurn: false }),

    commit: (batch) => commits.commit(batch),

    // A statement by itself: it is committed before any batch that uses the number. It need not wait for the disk: whatever
    // uses the number is written behind it in the same log, so that a server which forgets the one has never had the other.
    next: numbering(async (sequence, count, above) => {
      const text = `with hasty as (select set_config('synchronous_commit', 'off', true)) insert into ${sequences} as s ("name", "value") select $1, $3::bigint + $2::bigint from hasty on conflict ("name") do update set "value" = greatest(s."value", $3::bigint) + $2::bigint returning "value"`;
      const [row] = await connections.query({ text, values: [sequence, count, above] });
      return Number(row?.[0]);
    }),

    events: (after, limit) => outbox.read(after, limit),

    forgetEvents: (upTo) => outbox.forget(upTo),

    close: async () => {
      await Promise.all([connections.close(), replicas?.close()]);
    },
  };
}

const stampFrom = ([id, version]: readonly Wire[]): Stamp => ({ id: id ?? '', version: Number(version) });
