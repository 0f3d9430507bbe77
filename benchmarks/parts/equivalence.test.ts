import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { freshDatabase } from '../../test/support/postgres/database.js';
import type { BenchmarkContext } from '../benchmark-context.js';
import { sizes } from '../data/size.js';
import { arePackagesInstalled } from '../packages.js';
import type { PeerName } from '../peers/index.js';
import { silentProgress } from '../progress.js';
import { type PeerServer, startPeer } from '../servers/peer-server.js';
import { createPostgresDataSetIn, createSqliteDataSet, type DataSet } from './data-set.js';
import { assertEquivalent } from './endpoints.js';
import { assertSameReads } from './equivalence.js';
import { requestsOf } from './requests.js';

const directory = mkdtempSync(join(tmpdir(), 'millrace-bench-test-'));
const bench = { size: sizes.tiny, progress: silentProgress, directory } as unknown as BenchmarkContext;
test.after.always(() => rmSync(directory, { recursive: true, force: true }));

/** Peers whose packages come with the project. The others are tested if the packages of the benchmarks are installed. */
const postgresPeers: PeerName[] = ['hand-tuned-pg', 'documents-pg', 'fastify-pg', 'koa-knex-pg'];
const sqlitePeers: PeerName[] = ['koa-knex-sqlite'];
if (arePackagesInstalled()) {
  postgresPeers.push('feathers-knex-pg');
  sqlitePeers.push('hand-tuned-sqlite', 'documents-sqlite');
}

test.serial('peers.on-postgres-give-the-same-responses', async (t) => {
  const database = await freshDatabase();
  const data = await createPostgresDataSetIn(bench, database.url, async () => database.drop());
  await assertAllEquivalent(data, 'millrace-pg', postgresPeers);
  t.pass();
});

test.serial('peers.on-sqlite-give-the-same-responses', async (t) => {
  await assertAllEquivalent(await createSqliteDataSet(bench), 'millrace-sqlite', sqlitePeers);
  t.pass();
});

async function assertAllEquivalent(data: DataSet, ours: PeerName, others: readonly PeerName[]): Promise<void> {
  const servers: PeerServer[] = [];
  try {
    const own = await startPeer(ours, data.peerOptions);
    servers.push(own);
    for (const name of others) {
      const other = await startPeer(name, data.peerOptions);
      servers.push(other);
      await assertEquivalent(bench, data, own, other);
    }
  } finally {
    for (const server of servers) await server.close();
    await data.close();
  }
}

test.serial('peers.a-different-response-is-reported', async (t) => {
  const data = await createSqliteDataSet(bench);
  const own = await startPeer('millrace-sqlite', data.peerOptions);
  const wrong = await startPeer('bare-http', { constants: { one: '{"id":"another"}' } });
  try {
    await t.throwsAsync(assertSameReads(own, wrong, requestsOf('one build', bench.size).slice(0, 1)), {
      message: /bare-http answers .* with other bytes than Millrace/,
    });
  } finally {
    await own.close();
    await wrong.close();
    await data.close();
  }
});
