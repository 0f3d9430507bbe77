import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import type { BenchmarkContext } from '../benchmark-context.js';
import { sizes } from '../data/size.js';
import { createSqliteDataSet } from '../parts/data-set.js';
import { assertSameReads, fetchResponse } from '../parts/equivalence.js';
import { silentProgress } from '../progress.js';
import { startPeer } from '../servers/peer-server.js';
import { type AblationLoad, loads, reads } from './loads.js';
import { mechanisms } from './mechanisms.js';

test('switches.a-server-without-any-mechanism-gives-the-same-responses', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'millrace-ablation-test-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  const bench = { size: sizes.tiny, progress: silentProgress, directory } as unknown as BenchmarkContext;
  const data = await createSqliteDataSet(bench, { documents: false });
  const cache = Object.assign({}, ...mechanisms.map(({ off }) => off.cache));
  const tuning = Object.assign({}, ...mechanisms.map(({ off }) => off.tuning));
  const complete = await startPeer('millrace-ablation-sqlite', data.peerOptions);
  const bare = await startPeer('millrace-ablation-sqlite', { ...data.peerOptions, cache, tuning, joinBody: true });
  try {
    for (const name of reads) {
      const requests = (loads[name] as AblationLoad).requests(sizes.tiny, data.fixture);
      await assertSameReads(complete, bare, requests.slice(0, 3));
    }
    for (const server of [complete, bare]) {
      const [accept] = loads['accept and release a job'].requests(sizes.tiny, data.fixture);
      t.is(
        accept && (await fetchResponse(server.url, accept)).status,
        200,
        'a job can be accepted, and is released again',
      );
    }
  } finally {
    await complete.close();
    await bare.close();
    await data.close();
  }
});
