import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { stillClock } from '../../adapters/fake/still-clock.js';
import { memoryStorage } from '../../adapters/memory/index.js';
import { idOf } from '../../conformance/arbitraries/ids.js';
import { over } from '../../conformance/service/storages.js';
import { trying } from '../../conformance/settings.js';
import { carriedOut, put, row } from '../../conformance/storage/batch.js';
import type { Storage } from '../ports/index.js';
import { keepLookups } from './lookups.js';

/** A storage that reads at once, but answers only when it is told to. */
function hesitant(storage: Storage) {
  const held: (() => void)[] = [];
  let holding = false;
  const later = async <T>(answer: Promise<T>): Promise<T> => {
    const value = await answer;
    if (holding) await new Promise<void>((resolve) => held.push(resolve));
    return value;
  };
  return {
    storage: over(storage, {
      find: (query, args, window) => later(storage.find(query, args, window)),
      load: (query, ids) => later(storage.load(query, ids)),
      select: (query, args, limit) => later(storage.select(query, args, limit)),
    }),
    hold: (value: boolean) => {
      holding = value;
    },
    release: () => {
      for (const resolve of held.splice(0)) resolve();
    },
  };
}

const organizations = [idOf(1), idOf(2)];

/** Rows by id may come in any order. */
const inOrder = async <R extends { readonly id: string }>(rows: Promise<R[]>): Promise<R[]> =>
  (await rows).sort((one, other) => (one.id < other.id ? -1 : 1));

/** Everything that may be answered from memory. */
async function look(storage: Storage): Promise<unknown> {
  const page = { offset: 0, limit: 2, countUpTo: 4 };
  return Promise.all([
    ...organizations.flatMap((organization) => [
      ...['a', 'b', 'c'].map((slug) => storage.select('pipeline.bySlug', { organization, slug }, 1)),
      storage.find('build.ofOrganizations', { organizations: [organization] }, page),
      storage.find('build.ofPipeline', { pipeline: organization, state: ['passed', 'failed'] }, page),
    ]),
    storage.find('build.ofOrganizations', { organizations }, { ...page, offset: 2 }),
    storage.select('accessToken.byDigest', { digest: 'd' }, 1),
    inOrder(storage.load('user.byEmail', [idOf(51), idOf(52)])),
    inOrder(storage.load('pipeline.bySlug', [idOf(11), idOf(12), idOf(13)])),
  ]);
}

const change = fc.record({
  entity: fc.constantFrom('pipeline', 'build', 'build', 'user', 'accessToken', 'member'),
  id: fc.integer({ min: 1, max: 3 }),
  does: fc.constantFrom('put', 'put', 'put', 'touch', 'remove'),
  organization: fc.constantFrom(...organizations),
  text: fc.constantFrom('a', 'b', 'c'),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

const places = { pipeline: 10, build: 20, user: 50, accessToken: 60, member: 70 } as const;

/** Inserts, replaces, touches or removes one record. Organization and pipeline of a record never change. */
async function make({ entity, id, does, organization, text }: Change, storage: Storage, versions: Map<string, Known>) {
  const place = places[entity as keyof typeof places] + id;
  const known = versions.get(idOf(place));
  const about = known?.organization ?? organization;
  const texts = {
    pipeline: { organization_id: about, slug: text },
    build: { organization_id: about, pipeline_id: about, state: text === 'a' ? 'passed' : 'failed', number: place },
    user: { name: text, email: `${text}${id}` },
    accessToken: { user_id: idOf(51), digest: id === 1 ? 'd' : `d${id}`, description: text },
    member: { user_id: idOf(51), organization_id: idOf(100 + id), role: text === 'a' ? 'admin' : 'member' },
  }[entity as keyof typeof places];
  if (does === 'remove' || does === 'touch') {
    if (!known) return;
    const stands = { entity, id: idOf(place) } as never;
    const version = { ...(stands as object), version: known.version } as never;
    const done = await storage.commit({
      ...nothing,
      ...(does === 'touch' ? { touch: [stands] } : { remove: [version] }),
    });
    if (!('done' in done)) return;
    if (does === 'remove') versions.delete(idOf(place));
    else known.version += 1;
    return;
  }
  const version = (known?.version ?? 0) + 1;
  const one = put(entity as never, row(entity as never, place, { ...texts, version } as never));
  const done = await storage.commit({ ...nothing, ...(known ? { replace: [one] } : { insert: [one] }) });
  if ('done' in done) versions.set(idOf(place), { version, organization: about });
}

interface Known {
  version: number;
  organization: string;
}

const nothing = { expect: [], insert: [], replace: [], touch: [], remove: [], events: [] };

async function sees(t: ExecutionContext, kept: Storage, storage: Storage) {
  t.deepEqual(await look(kept), await look(storage));
}

test('whatever is committed through it shows at once, also to questions that were under way', async (t) => {
  const turn = fc.record({ change, asks: fc.boolean(), answers: fc.boolean() });
  await t.notThrowsAsync(
    fc.assert(
      fc.asyncProperty(fc.array(turn, { size: 'max', maxLength: 40 }), async (turns) => {
        const storage = memoryStorage();
        const slow = hesitant(storage);
        const kept = keepLookups(slow.storage, stillClock(), 1_000);
        const versions = new Map<string, Known>();
        const asked: Promise<unknown>[] = [];
        for (const { change: one, asks, answers } of turns) {
          slow.hold(true);
          if (asks) asked.push(look(kept));
          // The question has been put to the storage before the change, and is answered after it.
          for (let tick = 0; tick < 20; tick += 1) await null;
          await make(one, kept, versions);
          slow.hold(false);
          if (answers) slow.release();
          await sees(t, kept, storage);
          await sees(t, kept, storage);
        }
        slow.release();
        await Promise.all(asked);
        await sees(t, kept, storage);
      }),
      trying(60),
    ),
  );
});

test('what another process has committed shows after the time that was chosen, and not before', async (t) => {
  const storage = memoryStorage();
  const clock = stillClock();
  const kept = keepLookups(storage, clock, 1_000);
  const token = row('accessToken', 1, { digest: 'd', description: 'old' });
  await carriedOut(storage, { insert: [put('accessToken', token)] });
  const described = async () => (await kept.select('accessToken.byDigest', { digest: 'd' }, 1))[0]?.description;
  t.is(await described(), 'old');
  await carriedOut(storage, { replace: [put('accessToken', { ...token, version: 2, description: 'new' })] });
  clock.advance(999);
  t.is(await described(), 'old');
  clock.advance(1);
  t.is(await described(), 'new');
});

test('that there was nothing is not kept: what another process adds shows at once', async (t) => {
  const storage = memoryStorage();
  const kept = keepLookups(storage, stillClock(), 1_000);
  const find = async () => (await kept.select('accessToken.byDigest', { digest: 'd' }, 1)).length;
  t.is(await find(), 0);
  await carriedOut(storage, { insert: [put('accessToken', row('accessToken', 1, { digest: 'd' }))] });
  t.is(await find(), 1);
});

test('while many ask for the same without a pause, it is looked up a few times and not every time', async (t) => {
  const storage = memoryStorage();
  await carriedOut(storage, { insert: [put('accessToken', row('accessToken', 1, { digest: 'd' }))] });
  let asked = 0;
  const far = over(storage, {
    async select(query, args, limit) {
      asked += 1;
      for (let tick = 0; tick < 20; tick += 1) await null;
      return storage.select(query, args, limit);
    },
  });
  const kept = keepLookups(far, stillClock(), 1_000);
  const asking = async () => {
    for (let time = 0; time < 50; time += 1) await kept.select('accessToken.byDigest', { digest: 'd' }, 1);
  };
  // There is always somebody who has just begun.
  const others = Array.from({ length: 8 }, async (_, place) => {
    for (let tick = 0; tick < 3 * place; tick += 1) await null;
    await asking();
  });
  await Promise.all(others);
  t.true(asked <= 8, `${asked} times`);
});

test('with no time nothing is kept', async (t) => {
  const storage = memoryStorage();
  const kept = keepLookups(storage, stillClock(), 0);
  const token = row('accessToken', 1, { digest: 'd', description: 'old' });
  await carriedOut(storage, { insert: [put('accessToken', token)] });
  await kept.select('accessToken.byDigest', { digest: 'd' }, 1);
  await carriedOut(storage, { replace: [put('accessToken', { ...token, version: 2, description: 'new' })] });
  t.is((await kept.select('accessToken.byDigest', { digest: 'd' }, 1))[0]?.description, 'new');
});

test('a commit that broke on the way counts as one that may have happened', async (t) => {
  const storage = memoryStorage();
  const broken = over(storage, {
    async commit(batch) {
      await storage.commit(batch);
      throw new Error('the connection was lost');
    },
  });
  const kept = keepLookups(broken, stillClock(), 1_000);
  const token = row('accessToken', 1, { digest: 'd', description: 'old' });
  await carriedOut(storage, { insert: [put('accessToken', token)] });
  await kept.select('accessToken.byDigest', { digest: 'd' }, 1);
  const replace = [put('accessToken', { ...token, version: 2, description: 'new' })];
  await t.throwsAsync(kept.commit({ ...nothing, replace }), { message: 'the connection was lost' });
  t.is((await kept.select('accessToken.byDigest', { digest: 'd' }, 1))[0]?.description, 'new');
});
