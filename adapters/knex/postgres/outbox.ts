import type { NewEvent, StoredEvent } from '../../../core/ports/index.js';
import { physicalName, quoteIdentifier } from '../identifiers.js';
import { sqlOf } from '../schema/ddl.js';
import type { Connections } from './connections.js';
import { postgresSchemaDialect } from './dialect.js';
import type { Rows, Statement } from './session.js';
import type { SqlFragment } from './sql-fragments.js';
import { encodeValue, parseTime } from './values.js';

/**
 * The outbox. A commit stores its events without a number; whoever reads next numbers what it finds, under a lock, and
 * hands out numbers only when they are durable. So an event that is committed late gets a late number, and a reader that
 * resumes by number skips none.
 *
 * The other way, numbering while committing, needs a lock that is held until the change is on the disk: then all commits
 * of all processes go one after the other (1,000 a second with 16 connections where this makes 2,800), and an open
 * transaction that the host has lent holds up everybody. The lock is a row, since engines that spread over several
 * machines have no advisory locks.
 */
export class Outbox {
  readonly #connections: Connections;
  readonly #eventsTable: string;
  readonly #numbersTable: string;

  constructor(connections: Connections, prefix: string) {
    this.#connections = connections;
    this.#eventsTable = quoteIdentifier(physicalName(prefix, 'events'));
    this.#numbersTable = eventNumbersTable(prefix);
  }

  async read(after: number, limit: number): Promise<StoredEvent[]> {
    const text = `select "sequence", "type", "organization_id", "at", "data" from ${this.#eventsTable} where "sequence" > $1 order by "sequence" limit $2`;
    for (;;) {
      // Events without a number are selected first: an event that is committed between the two may wait for the next reader.
      const [unnumbered, page = []] = await this.#connections.pipelined([
        this.#unnumbered,
        { text, values: [after, limit] },
      ]);
      if (page.length === limit || unnumbered?.length === 0) return page.map(eventOf);
      await this.#assignNumbers();
    }
  }

  async forget(upTo: number): Promise<void> {
    while ((await this.#connections.query(this.#unnumbered)).length > 0) await this.#assignNumbers();
    await this.#connections.query({ text: `delete from ${this.#eventsTable} where "sequence" <= $1`, values: [upTo] });
  }

  /** A row if some event has no number. */
  get #unnumbered(): Statement {
    return { text: `select 1 from ${this.#eventsTable} where "sequence" is null limit 1` };
  }

  /** Numbers the events that were stored first, so many that it takes no long time. */
  async #assignNumbers(): Promise<void> {
    const unnumbered = `select "place" from ${this.#eventsTable} where "sequence" is null order by "place" limit 5000`;
    const ranked = `select "place", row_number() over (order by "place") as "rank" from (${unnumbered}) as w`;
    const numbered = `update ${this.#eventsTable} as e set "sequence" = n."last" + r."rank" from (${ranked}) as r, ${this.#numbersTable} as n where e."place" = r."place" returning e."sequence"`;
    await this.#connections.write(() => [
      { text: `select "last" from ${this.#numbersTable} for update` },
      {
        text: `with numbered as (${numbered}) update ${this.#numbersTable} set "last" = greatest("last", (select max("sequence") from numbered))`,
      },
    ]);
  }
}

/** Stores events; they are numbered later. */
export const insertEventsFragment = (events: readonly NewEvent[], prefix: string): SqlFragment => ({
  key: 'events',
  values: [
    events.map(({ type }) => type),
    events.map(({ organization_id }) => organization_id),
    events.map(({ at }) => encodeValue(at, 'time')),
    events.map(({ data }) => JSON.stringify(data)),
  ],
  text: (firstParameter, condition) =>
    `insert into ${quoteIdentifier(physicalName(prefix, 'events'))} ("type", "organization_id", "at", "data") select * from unnest($${firstParameter}::text[], $${firstParameter + 1}::uuid[], $${firstParameter + 2}::timestamptz[], $${firstParameter + 3}::text[]) as n("type", "organization_id", "at", "data") where ${condition}`,
});

/** The table with the last assigned number: numbers of forgotten events are not reused. */
export const eventNumbersTable = (prefix: string): string => quoteIdentifier(physicalName(prefix, 'event_numbers'));

/** The tables of the outbox that only PostgreSQL needs. */
export function outboxDdl(prefix: string): string[] {
  const builder = postgresSchemaDialect.builder();
  const numbers = physicalName(prefix, 'event_numbers');
  // Leads to the events without a number in the order of their places, and to the others in the order of their numbers.
  const terms = ['sequence', 'place'].map((column) => builder.raw('?? asc', [column]));
  const index = { indexName: physicalName(prefix, 'events_sequence_place'), useConstraint: false };
  return [
    ...sqlOf(
      builder.schema.createTable(numbers, (table) => {
        table.integer('id').primary();
        table.bigInteger('last').notNullable();
      }),
    ),
    builder(numbers).insert({ id: 1, last: 0 }).toQuery(),
    ...sqlOf(
      builder.schema.alterTable(physicalName(prefix, 'events'), (table) => table.unique(terms as never[], index)),
    ),
  ];
}

function eventOf([sequence, type, organization_id, at, data]: Rows[number]): StoredEvent {
  return {
    sequence: Number(sequence),
    type: type ?? '',
    organization_id: organization_id ?? '',
    at: parseTime(at ?? ''),
    data: JSON.parse(data ?? '{}'),
  };
}
