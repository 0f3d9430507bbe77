import test from 'ava';
import { idOf } from '../../../conformance/arbitraries/ids.js';
import { batchOf, entityRow, expectCommit, nextVersion, row } from '../../../conformance/storage/batch.js';
import type { Storage } from '../../../core/ports/index.js';
import { runQuery } from '../../../test/support/postgres/database.js';
import { ownServer } from '../../../test/support/postgres/server.js';
import { knexStorage } from '../index.js';

const organization = idOf(77);
const cluster = (number: number) => row('cluster', number, { organization_id: organization, name: `c${number}` });
const countIn = async (storage: Storage) =>
  (await storage.find('cluster.inOrganization', { organization }, { offset: 0, limit: 100 })).stamps.length;

test('replicas.see-what-the-process-has-written', async (t) => {
  const server = await ownServer();
  const standby = await server.addStandby();
  const options = { client: 'postgres', connection: server.url } as const;
  const [one, other, plain] = [{ replicas: [standby] }, { replicas: [standby] }, {}].map((more) =>
    knexStorage({ ...options, ...more }),
  ) as Storage[] as [Storage, Storage, Storage];
  await one.prepare();
  await expectCommit(plain, { insert: [entityRow('cluster', cluster(1))] });
  const caughtUp = async () => {
    const [primary] = await runQuery(server.url, 'select pg_current_wal_lsn()::text as place');
    for (let reached = false; !reached; ) {
      const [row] = await runQuery(standby, `select pg_last_wal_replay_lsn() >= '${primary?.place}' as reached`);
      reached = row?.reached === true;
    }
  };
  await caughtUp();
  t.is(await countIn(one), 1);

  // From here on the standby stays where it is.
  await runQuery(standby, 'select pg_wal_replay_pause()');
  await expectCommit(plain, { insert: [entityRow('cluster', cluster(2))] });
  t.is(await countIn(other), 1, 'the standby is not asked');
  await expectCommit(one, { insert: [entityRow('cluster', cluster(3))] });
  t.is(await countIn(one), 3, 'what was written is not seen');
  t.is((await one.load('cluster.inOrganization', [idOf(3)])).length, 1);
  t.is(await countIn(other), 1);

  // A conflict says that there is something newer.
  await expectCommit(plain, { replace: [entityRow('cluster', nextVersion(cluster(1), { name: 'newer' }))] });
  const [old] = await other.load('cluster.inOrganization', [idOf(1)]);
  t.is(old?.version, 1);
  const late = batchOf({ replace: [entityRow('cluster', nextVersion(cluster(1), { name: 'late' }))] });
  t.true('conflict' in (await other.commit(late)));
  t.is((await other.load('cluster.inOrganization', [idOf(1)]))[0]?.name, 'newer');

  await runQuery(standby, 'select pg_wal_replay_resume()');
  await caughtUp();
  t.is(await countIn(one), 3);
  // Without its standby the storage goes on.
  const alone = knexStorage({ ...options, replicas: ['postgres://a:b@127.0.0.1:9/c'] });
  t.is(await countIn(alone), 3);
  await Promise.all([one, other, plain, alone].map((storage) => storage.close()));
  server.release();
});
