import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import { type ServerProcess, startServer, temporaryDirectory } from '../../test/support/cli-process.js';
import { buildSpecs } from './demo/build-specs.js';

const builds = '/v2/organizations/acme/pipelines/web/builds';

interface CreatedBuild {
  readonly id: string;
  readonly number: number;
}

/** Creates builds until the service is killed, and collects the acknowledged ones. */
async function createUntilKilled(service: ServerProcess, acknowledgedBuilds: CreatedBuild[]): Promise<void> {
  try {
    for (;;) {
      const { status, body } = await service.request(builds, { body: { commit: 'HEAD', branch: 'main' } });
      if (status !== 201) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
      acknowledgedBuilds.push({ id: body.id, number: body.number });
    }
  } catch (error) {
    // `fetch` rejects with a TypeError when the connection is lost.
    if (!(error instanceof TypeError)) throw error;
  }
}

/** The ids of all builds of the service by number. */
async function listAllBuilds(service: ServerProcess): Promise<Map<number, string>> {
  const known = new Map<number, string>();
  let count = 0;
  for (let page = 1; ; page += 1) {
    const { body } = await service.request(`${builds}?per_page=100&page=${page}`);
    for (const { id, number } of body as CreatedBuild[]) known.set(number, id);
    count += body.length;
    if (body.length < 100) break;
  }
  if (known.size !== count) throw new Error(`${count} builds share ${known.size} numbers`);
  return known;
}

/** The ids of at least as many of the newest builds by number. */
async function newestBuilds(service: ServerProcess, atLeast: number): Promise<Map<number, string>> {
  const known = new Map<number, string>();
  for (let page = 1; known.size < atLeast; page += 1) {
    const { body } = await service.request(`${builds}?per_page=100&page=${page}`);
    for (const { id, number } of body as CreatedBuild[]) known.set(number, id);
    if (body.length < 100) break;
  }
  return known;
}

/** Every length of work (7) and a delay of every length (10) at least once; in the nightly run, most pairs of them. */
const kills = process.env.MILLRACE_ALL === '1' ? 50 : 10;
const demoBuilds = buildSpecs.web.length;
const clients = 4;

test.serial(`SIGKILL during writes, ${kills} times: every acknowledged build is stored`, async (t) => {
  t.timeout(300_000);
  const cwd = await temporaryDirectory(t);
  const startedAt = performance.now();
  const allAcknowledged = new Map<number, string>();
  let acknowledged: CreatedBuild[] = [];
  const checkLast = async (service: ServerProcess) => {
    const known = await newestBuilds(service, acknowledged.length + clients);
    for (const { number, id } of acknowledged)
      t.is(known.get(number), id, `build ${number} was acknowledged but is lost`);
  };
  for (let kill = 0; kill < kills; kill += 1) {
    const service = await startServer(t, cwd, '--no-simulate');
    await checkLast(service);
    const now: CreatedBuild[] = [];
    const work = Array.from({ length: clients }, () => createUntilKilled(service, now));
    // A different delay each time, so that the kills hit all phases of a write.
    await waitForCount(now, 4 + (kill % 7));
    await pause(kill % 10);
    t.is((await service.stop('SIGKILL')).signal, 'SIGKILL');
    await Promise.all(work);
    for (const { number, id } of now) {
      t.false(allAcknowledged.has(number), `number ${number} was assigned twice`);
      allAcknowledged.set(number, id);
    }
    acknowledged = now;
  }
  const last = await startServer(t, cwd, '--no-simulate');
  await checkLast(last);
  const known = await listAllBuilds(last);
  t.deepEqual(
    [...allAcknowledged].filter(([number, id]) => known.get(number) !== id),
    [],
    'an acknowledged build was lost later',
  );
  const next = await last.request(builds, { body: { commit: 'HEAD', branch: 'main' } });
  t.true(next.body.number > Math.max(...known.keys()));
  await last.stop();
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  const others = known.size - allAcknowledged.size - demoBuilds;
  t.log(
    `${kills} kills in ${seconds} s: ${allAcknowledged.size} builds acknowledged and stored; ${others} more were stored without an acknowledgement`,
  );
});

/** Resolves when `count` builds have been acknowledged. */
async function waitForCount(acknowledged: readonly CreatedBuild[], count: number): Promise<void> {
  while (acknowledged.length < count) await pause(1);
}

test.serial('two processes on one SQLite file create 2,000 builds of one pipeline at the same time', async (t) => {
  t.timeout(300_000);
  const cwd = await temporaryDirectory(t);
  const one = await startServer(t, cwd, '--no-simulate');
  const other = await startServer(t, cwd, '--no-simulate');
  const before = await listAllBuilds(one);
  const startedAt = performance.now();
  const numbers: number[] = [];
  const statuses = new Map<number, number>();
  let left = 2_000;
  const work = async (service: ServerProcess) => {
    while (left > 0) {
      left -= 1;
      const { status, body } = await service.request(builds, { body: { commit: 'HEAD', branch: 'main' } });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      numbers.push(body.number);
    }
  };
  await Promise.all([one, other].flatMap((service) => Array.from({ length: 8 }, () => work(service))));
  const seconds = (performance.now() - startedAt) / 1_000;
  t.deepEqual([...statuses], [[201, 2_000]]);
  t.is(new Set(numbers).size, 2_000);
  const known = await listAllBuilds(other);
  t.is(known.size, before.size + 2_000);
  t.is(one.output().stderr, '');
  await Promise.all([one.stop(), other.stop()]);
  t.log(`2,000 builds in ${seconds.toFixed(1)} s, ${Math.round(2_000 / seconds)} a second`);
});
