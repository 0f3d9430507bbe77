import type { NewEvent, StoredEvent } from '../../../core/ports/index.js';
import { physical, quoted } from '../names.js';
import type { Connections } from './connections.js';
import type { Piece } from './pieces.js';
import type { Rows, Statement } from './session.js';
import { encoded, timeFrom } from './values.js';

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
  readonly #events: string;
  readonly #numbers: string;

  constructor(connections: Connections, prefix: string) {
    this.#connections = connections;
    this.#events = quoted(physical(prefix, 'events'));
    this.#numbers = numbersTable(prefix);
  }

  async read(after: number, limit: number): Promise<StoredEvent[]> {
    const text = `select "sequence", "type", "organization_id", "at", "data" from ${this.#events} where "sequence" > $1 order by "sequence" limit $2`;
    for (;;) {
      // What has no number is asked for first: an event that is committed between the two may wait for the next reader.
      const [waiting, page = []] = await this.#connections.flight([this.#waiting, { text, values: [after, limit] }]);
      if (page.length === limit || waiting?.length === 0) return page.map(eventOf);
      await this.#number();
    }
  }

  async forget(upTo: number): Promise<void> {
    while ((await this.#connections.query(this.#waiting)).length > 0) await this.#number();
    await this.#connections.query({ text: `delete from ${this.#events} where "sequence" <= $1`, values: [upTo] });
  }

  /** A row if some event has no number. */
  get #waiting(): Statement {
    return { text: `select 1 from ${this.#events} where "sequence" is null limit 1` };
  }

  /** Numbers the events that were stored first, so many that it takes no long time. */
  async #number(): Promise<void> {
    const waiting = `select "place" from ${this.#events} where "sequence" is null order by "place" limit 5000`;
    const ranked = `select "place", row_number() over (order by "place") as "rank" from (${waiting}) as w`;
    const numbered = `update ${this.#events} as e set "sequence" = n."last" + r."rank" from (${ranked}) as r, ${this.#numbers} as n where e."place" = r."place" returning e."sequence"`;
    await this.#connections.writing(() => [
      { text: `select "last" from ${this.#numbers} for update` },
      {
        text: `with numbered as (${numbered}) update ${this.#numbers} set "last" = greatest("last", (select max("sequence") from numbered))`,
      },
    ]);
  }
}

/** Stores events; they are numbered later. */
export const addEvents = (events: readonly NewEvent[], prefix: string): Piece => ({
  key: 'events',
  values: [
    events.map(({ type }) => type),
    events.map(({ organization_id }) => organization_id),
    events.map(({ at }) => encoded(at, 'time')),
    events.map(({ data }) => JSON.stringify(data)),
  ],
  text: (first, when = 'true') =>
    `insert into ${quoted(physical(prefix, 'events'))} ("type", "organization_id", "at", "data") select * from unnest($${first}::text[], $${first + 1}::uuid[], $${first + 2}::timestamptz[], $${first + 3}::text[]) as n("type", "organization_id", "at", "data") where ${when}`,
});

/** The table with the last number that was given: numbers of forgotten events are not used again. */
export const numbersTable = (prefix: string): string => quoted(physical(prefix, 'event_numbers'));

/** What the outbox needs beside the tables that all databases have. */
export const outboxSteps = (prefix: string): readonly string[] => [
  `create table ${numbersTable(prefix)} ("id" integer primary key, "last" bigint not null)`,
  `insert into ${numbersTable(prefix)} ("id", "last") values (1, 0)`,
  // Leads to those without a number in the order of their places, and to the others in the order of their numbers.
  `create unique index ${quoted(physical(prefix, 'events_sequence_place'))} on ${quoted(physical(prefix, 'events'))} ("sequence" asc, "place" asc)`,
];

function eventOf([sequence, type, organization_id, at, data]: Rows[number]): StoredEvent {
  return {
    sequence: Number(sequence),
    type: type ?? '',
    organization_id: organization_id ?? '',
    at: timeFrom(at ?? ''),
    data: JSON.parse(data ?? '{}'),
  };
}
