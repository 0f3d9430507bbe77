import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { freshDatabase } from '../../adapters/knex/postgres/testing/_database.test.js';
import type { Bench } from '../bench.js';
import { sizes } from '../data/size.js';
import { arePackagesThere } from '../packages.js';
import type { PeerName } from '../peers/index.js';
import { silent } from '../progress.js';
import { type PeerServer, startPeer } from '../servers/peer-server.js';
import { agreeOnReads } from './agree.js';
import { type DataSet, postgresDataIn, sqliteData } from './data-set.js';
import { agree } from './endpoints.js';
import { requestsOf } from './requests.js';

const directory = mkdtempSync(join(tmpdir(), 'millrace-bench-test-'));
const bench = { size: sizes.tiny, progress: silent, directory } as unknown as Bench;
test.after.always(() => rmSync(directory, { recursive: true, force: true }));

/** Peers whose packages come with the project; the others are tried where those of the benchmarks are installed. */
const ofPostgres: PeerName[] = ['hand-tuned-pg', 'documents-pg', 'fastify-pg', 'koa-knex-pg'];
const ofSqlite: PeerName[] = ['koa-knex-sqlite'];
if (arePackagesThere()) {
  ofPostgres.push('feathers-knex-pg');
  ofSqlite.push('hand-tuned-sqlite', 'documents-sqlite');
}

test.serial('peers.on-postgres-answer-as-we-do', async (t) => {
  const database = await freshDatabase();
  const data = await postgresDataIn(bench, database.url, async () => database.drop());
  await allAgree(data, 'millrace-pg', ofPostgres);
  t.pass();
});

test.serial('peers.on-sqlite-answer-as-we-do', async (t) => {
  await allAgree(await sqliteData(bench), 'millrace-sqlite', ofSqlite);
  t.pass();
});

async function allAgree(data: DataSet, ours: PeerName, others: readonly PeerName[]): Promise<void> {
  const servers: PeerServer[] = [];
  try {
    const own = await startPeer(ours, data.place);
    servers.push(own);
    for (const name of others) {
      const other = await startPeer(name, data.place);
      servers.push(other);
      await agree(bench, data, own, other);
    }
  } finally {
    for (const server of servers) await server.close();
    await data.close();
  }
}

test.serial('peers.another-answer-is-told', async (t) => {
  const data = await sqliteData(bench);
  const own = await startPeer('millrace-sqlite', data.place);
  const wrong = await startPeer('bare-http', { constants: { one: '{"id":"another"}' } });
  try {
    await t.throwsAsync(agreeOnReads(own, wrong, requestsOf('one build', bench.size).slice(0, 1)), {
      message: /bare-http answers .* with other bytes than we do/,
    });
  } finally {
    await own.close();
    await wrong.close();
    await data.close();
  }
});
