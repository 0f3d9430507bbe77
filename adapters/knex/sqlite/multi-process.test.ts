import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { idOf } from '../../../conformance/arbitraries/ids.js';
import { entityRow, expectCommit, row } from '../../../conformance/storage/batch.js';
import { runWorkers } from '../../../test/support/knex-workers.js';
import { knexStorage } from '../index.js';

const withFile = async (work: (filename: string) => Promise<void>) => {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-'));
  try {
    await work(join(directory, 'shared.db'));
  } finally {
    await rm(directory, { recursive: true });
  }
};

test.serial('processes.lose-nothing', (t) =>
  withFile(async (filename) => {
    const storage = knexStorage({ client: 'sqlite', filename });
    await storage.prepare();
    const counter = row('cluster', 1, { organization_id: idOf(77), name: '0' });
    await expectCommit(storage, { insert: [entityRow('cluster', counter)] });
    const rounds = 60;
    const found = await runWorkers(2, { client: 'sqlite', filename }, String(rounds), counter.id);

    const numbers = found.flatMap((process) => process.numbers);
    t.is(new Set(numbers).size, 2 * rounds, 'a number was given twice');
    t.is(
      found.reduce((sum, { raised }) => sum + raised, 0),
      2 * rounds,
    );
    const [after] = await storage.load('cluster.inOrganization', [counter.id]);
    t.is(after?.name, String(2 * rounds), 'an update was lost');
    t.is(after?.version, 1 + 2 * rounds);
    const queues = await storage.find(
      'queue.inCluster',
      { cluster: counter.id },
      { offset: 0, limit: 0, countUpTo: 1_000 },
    );
    t.is(queues.total, 2 * rounds);
    const events = await storage.events(0, 1_000);
    t.is(events.length, 2 * rounds);
    await storage.close();
  }),
);

test.serial('processes.prepare-at-once', (t) =>
  withFile(async (filename) => {
    const found = await runWorkers(6, { client: 'sqlite', filename }, '1', idOf(1));
    t.is(new Set(found.flatMap(({ numbers }) => numbers)).size, 6);
  }),
);
