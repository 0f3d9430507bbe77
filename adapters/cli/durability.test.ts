import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import { directory, type Served, serve } from './_process.test.js';
import { history } from './demo/history.js';

const builds = '/v2/organizations/acme/pipelines/web/builds';

interface Made {
  readonly id: string;
  readonly number: number;
}

/** Creates builds until the service is gone; those that were acknowledged. */
async function createUntilGone(service: Served, at: Made[]): Promise<void> {
  try {
    for (;;) {
      const { status, body } = await service.ask(builds, { body: { commit: 'HEAD', branch: 'main' } });
      if (status !== 201) throw new Error(`Answered ${status}: ${JSON.stringify(body)}`);
      at.push({ id: body.id, number: body.number });
    }
  } catch (error) {
    // `fetch` rejects with a TypeError when the connection breaks off.
    if (!(error instanceof TypeError)) throw error;
  }
}

/** All builds that the service knows, page by page, by number. */
async function knownBuilds(service: Served): Promise<Map<number, string>> {
  const known = new Map<number, string>();
  let count = 0;
  for (let page = 1; ; page += 1) {
    const { body } = await service.ask(`${builds}?per_page=100&page=${page}`);
    for (const { id, number } of body as Made[]) known.set(number, id);
    count += body.length;
    if (body.length < 100) break;
  }
  if (known.size !== count) throw new Error(`${count} builds share ${known.size} numbers`);
  return known;
}

/** The newest builds, as many as are enough to hold those that were made last. */
async function newestBuilds(service: Served, atLeast: number): Promise<Map<number, string>> {
  const known = new Map<number, string>();
  for (let page = 1; known.size < atLeast; page += 1) {
    const { body } = await service.ask(`${builds}?per_page=100&page=${page}`);
    for (const { id, number } of body as Made[]) known.set(number, id);
    if (body.length < 100) break;
  }
  return known;
}

const kills = 50;
const demoBuilds = history.web.length;
const clients = 4;

test.serial(`SIGKILL in the middle of writing, ${kills} times: every acknowledged build is there`, async (t) => {
  t.timeout(300_000);
  const cwd = await directory(t);
  const begun = performance.now();
  const all = new Map<number, string>();
  let made: Made[] = [];
  const checkLast = async (service: Served) => {
    const known = await newestBuilds(service, made.length + clients);
    for (const { number, id } of made) t.is(known.get(number), id, `build ${number} was acknowledged, and is lost`);
  };
  for (let kill = 0; kill < kills; kill += 1) {
    const service = await serve(t, cwd, '--no-simulate');
    await checkLast(service);
    const now: Made[] = [];
    const work = Array.from({ length: clients }, () => createUntilGone(service, now));
    // A little later each time, so that it strikes in all phases of a write.
    await enough(now, 4 + (kill % 7));
    await pause(kill % 10);
    t.is((await service.end('SIGKILL')).signal, 'SIGKILL');
    await Promise.all(work);
    for (const { number, id } of now) {
      t.false(all.has(number), `number ${number} was given twice`);
      all.set(number, id);
    }
    made = now;
  }
  const last = await serve(t, cwd, '--no-simulate');
  await checkLast(last);
  const known = await knownBuilds(last);
  t.deepEqual(
    [...all].filter(([number, id]) => known.get(number) !== id),
    [],
    'what was there once has gone',
  );
  const next = await last.ask(builds, { body: { commit: 'HEAD', branch: 'main' } });
  t.true(next.body.number > Math.max(...known.keys()));
  await last.end();
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  const others = known.size - all.size - demoBuilds;
  t.log(
    `${kills} kills in ${seconds} s: ${all.size} builds acknowledged, all there; ${others} more were stored, but not told`,
  );
});

/** Resolves when so many builds have been acknowledged. */
async function enough(made: readonly Made[], count: number): Promise<void> {
  while (made.length < count) await pause(1);
}

test.serial('two processes on one SQLite file create 2,000 builds of one pipeline side by side', async (t) => {
  t.timeout(300_000);
  const cwd = await directory(t);
  const one = await serve(t, cwd, '--no-simulate');
  const other = await serve(t, cwd, '--no-simulate');
  const before = await knownBuilds(one);
  const begun = performance.now();
  const numbers: number[] = [];
  const statuses = new Map<number, number>();
  let left = 2_000;
  const work = async (service: Served) => {
    while (left > 0) {
      left -= 1;
      const { status, body } = await service.ask(builds, { body: { commit: 'HEAD', branch: 'main' } });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      numbers.push(body.number);
    }
  };
  await Promise.all([one, other].flatMap((service) => Array.from({ length: 8 }, () => work(service))));
  const seconds = (performance.now() - begun) / 1_000;
  t.deepEqual([...statuses], [[201, 2_000]]);
  t.is(new Set(numbers).size, 2_000);
  const known = await knownBuilds(other);
  t.is(known.size, before.size + 2_000);
  t.is(one.texts().stderr, '');
  await Promise.all([one.end(), other.end()]);
  t.log(`2,000 builds in ${seconds.toFixed(1)} s, ${Math.round(2_000 / seconds)} a second`);
});
