import type { StoredEvent } from '../../../core/ports/index.js';
import { physical, quoted } from '../names.js';
import type { Connections } from './connections.js';
import type { Rows, Statement } from './session.js';
import { timeFrom } from './values.js';

/**
 * The outbox. A commit stores its events without a number; whoever reads next numbers what it finds, under a lock, and
 * hands out numbers only when they are durable. So an event that is committed late gets a late number, and a reader that
 * resumes by number skips none.
 *
 * The other way, numbering while committing, needs a lock that is held until the change is on the disk: then all commits
 * of all processes go one after the other, and an open transaction that the host has lent holds up everybody.
 * The lock is a row, since engines that spread over several machines have no advisory locks.
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
    const page: Statement = { text, values: [after, limit] };
    const [waiting, events = []] = await this.#connections.flight([this.#waiting, page]);
    if (waiting?.length === 0) return events.map(eventOf);
    await this.#number();
    return (await this.#connections.query(page)).map(eventOf);
  }

  async forget(upTo: number): Promise<void> {
    await this.#number();
    await this.#connections.query({ text: `delete from ${this.#events} where "sequence" <= $1`, values: [upTo] });
  }

  /** A row if some event has no number. */
  get #waiting(): Statement {
    return { text: `select 1 from ${this.#events} where "sequence" is null limit 1` };
  }

  async #number(): Promise<Rows[]> {
    return this.#connections.writing([
      { text: `select "last" from ${this.#numbers} for update` },
      {
        text: `update ${this.#events} as e set "sequence" = n."last" + w."rank" from (select "place", row_number() over (order by "place") as "rank" from ${this.#events} where "sequence" is null) as w, ${this.#numbers} as n where e."place" = w."place"`,
      },
      {
        text: `update ${this.#numbers} set "last" = m."last" from (select max("sequence") as "last" from ${this.#events}) as m where m."last" > ${this.#numbers}."last"`,
      },
    ]);
  }
}

/** The table with the last number that was given: numbers of forgotten events are not used again. */
export const numbersTable = (prefix: string): string => quoted(physical(prefix, 'event_numbers'));

/** What the outbox needs beside the tables that all databases have. */
export const outboxSteps = (prefix: string): readonly string[] => [
  `create table ${numbersTable(prefix)} ("id" integer primary key, "last" bigint not null)`,
  `insert into ${numbersTable(prefix)} ("id", "last") values (1, 0)`,
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
