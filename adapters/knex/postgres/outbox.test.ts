import test from 'ava';
import { idOf } from '../../../conformance/arbitraries/ids.js';
import { expectCommit } from '../../../conformance/storage/batch.js';
import { freshDatabase } from '../../../test/support/postgres/database.js';
import { knexStorage } from '../index.js';

const event = (type: string) => ({ type, organization_id: idOf(1), at: '2026-01-31T09:30:00.000Z', data: {} });

test('events.that-waited-for-long', async (t) => {
  const database = await freshDatabase();
  const storage = knexStorage({ client: 'postgres', connection: database.url });
  await storage.prepare();
  await database.query(
    `insert into millrace_events ("type", "organization_id", "at", "data") select 'e' || n, '${idOf(1)}', now(), '{}' from generate_series(1, 12000) n`,
  );
  t.deepEqual(
    (await storage.events(0, 3)).map(({ sequence, type }) => [sequence, type]),
    [
      [1, 'e1'],
      [2, 'e2'],
      [3, 'e3'],
    ],
  );
  t.is((await storage.events(11_999, 10))[0]?.type, 'e12000');
  await expectCommit(storage, { events: [event('late')] });
  await storage.forgetEvents(12_000);
  t.deepEqual(
    (await storage.events(0, 10)).map(({ sequence, type }) => [sequence, type]),
    [[12_001, 'late']],
  );
  await storage.forgetEvents(1e9);
  await expectCommit(storage, { events: [event('later')] });
  t.is((await storage.events(0, 10))[0]?.sequence, 12_002);
  await storage.close();
  await database.drop();
});

test('events.are-found-by-their-index', async (t) => {
  const database = await freshDatabase();
  const storage = knexStorage({ client: 'postgres', connection: database.url });
  await storage.prepare();
  await database.query(
    `insert into millrace_events ("sequence", "type", "organization_id", "at", "data") select n, 'e', '${idOf(1)}', now(), '{}' from generate_series(1, 5000) n; analyze millrace_events; update millrace_event_numbers set "last" = 5000`,
  );
  const plan = async (text: string) =>
    (await database.query(`explain ${text}`)).map((row) => row['QUERY PLAN']).join('\n');
  t.regex(
    await plan('select "place" from millrace_events where "sequence" is null order by "place" limit 5000'),
    /Index Only Scan using millrace_events_sequence_place/,
  );
  await expectCommit(storage, { events: [event('new')] });
  t.deepEqual(
    (await storage.events(4_999, 10)).map(({ sequence }) => sequence),
    [5_000, 5_001],
  );
  await storage.close();
  await database.drop();
});
