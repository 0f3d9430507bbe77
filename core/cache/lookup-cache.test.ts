import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import { manualClock } from '../../adapters/fake/manual-clock.js';
import { memoryStorage } from '../../adapters/memory/index.js';
import { idOf } from '../../conformance/arbitraries/ids.js';
import { propertyParameters } from '../../conformance/property-settings.js';
import { overrideStorage } from '../../conformance/service/storage-wrappers.js';
import { entityRow, expectCommit, row } from '../../conformance/storage/batch.js';
import type { Storage } from '../ports/index.js';
import { withLookupCache } from './lookup-cache.js';

/** A storage that reads at once, but answers only when it is told to. */
function delayedStorage(storage: Storage) {
  const held: (() => void)[] = [];
  let holding = false;
  const later = async <T>(answer: Promise<T>): Promise<T> => {
    const value = await answer;
    if (holding) await new Promise<void>((resolve) => held.push(resolve));
    return value;
  };
  return {
    storage: overrideStorage(storage, {
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
async function readEverything(storage: Storage): Promise<unknown> {
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

const idOffsets = { pipeline: 10, build: 20, user: 50, accessToken: 60, member: 70 } as const;

/** Inserts, replaces, touches or removes one record. Organization and pipeline of a record never change. */
async function applyChange(
  { entity, id, does, organization, text }: Change,
  storage: Storage,
  versions: Map<string, Known>,
) {
  const place = idOffsets[entity as keyof typeof idOffsets] + id;
  const known = versions.get(idOf(place));
  const about = known?.organization ?? organization;
  const texts = {
    pipeline: { organization_id: about, slug: text },
    build: { organization_id: about, pipeline_id: about, state: text === 'a' ? 'passed' : 'failed', number: place },
    user: { name: text, email: `${text}${id}` },
    accessToken: { user_id: idOf(51), digest: id === 1 ? 'd' : `d${id}`, description: text },
    member: { user_id: idOf(51), organization_id: idOf(100 + id), role: text === 'a' ? 'admin' : 'member' },
  }[entity as keyof typeof idOffsets];
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
  const one = entityRow(entity as never, row(entity as never, place, { ...texts, version } as never));
  const done = await storage.commit({ ...nothing, ...(known ? { replace: [one] } : { insert: [one] }) });
  if ('done' in done) versions.set(idOf(place), { version, organization: about });
}

interface Known {
  version: number;
  organization: string;
}

const nothing = { expect: [], insert: [], replace: [], touch: [], remove: [], events: [] };

async function sees(t: ExecutionContext, cached: Storage, storage: Storage) {
  t.deepEqual(await readEverything(cached), await readEverything(storage));
}

test('whatever is committed through it shows at once, also to questions that were under way', async (t) => {
  const turn = fc.record({ change, asks: fc.boolean(), answers: fc.boolean() });
  await t.notThrowsAsync(
    fc.assert(
      fc.asyncProperty(fc.array(turn, { size: 'max', maxLength: 40 }), async (turns) => {
        const storage = memoryStorage();
        const slow = delayedStorage(storage);
        const cached = withLookupCache(slow.storage, manualClock(), 1_000);
        const versions = new Map<string, Known>();
        const asked: Promise<unknown>[] = [];
        for (const { change: one, asks, answers } of turns) {
          slow.hold(true);
          if (asks) asked.push(readEverything(cached));
          // The question has been put to the storage before the change, and is answered after it.
          for (let tick = 0; tick < 20; tick += 1) await null;
          await applyChange(one, cached, versions);
          slow.hold(false);
          if (answers) slow.release();
          await sees(t, cached, storage);
          await sees(t, cached, storage);
        }
        slow.release();
        await Promise.all(asked);
        await sees(t, cached, storage);
      }),
      propertyParameters(60),
    ),
  );
});

test('what another process has committed shows after the time that was chosen, and not before', async (t) => {
  const storage = memoryStorage();
  const clock = manualClock();
  const cached = withLookupCache(storage, clock, 1_000);
  const token = row('accessToken', 1, { digest: 'd', description: 'old' });
  await expectCommit(storage, { insert: [entityRow('accessToken', token)] });
  const described = async () => (await cached.select('accessToken.byDigest', { digest: 'd' }, 1))[0]?.description;
  t.is(await described(), 'old');
  await expectCommit(storage, { replace: [entityRow('accessToken', { ...token, version: 2, description: 'new' })] });
  clock.advance(999);
  t.is(await described(), 'old');
  clock.advance(1);
  t.is(await described(), 'new');
});

test('an empty result is not cached: a record that another process adds is visible at once', async (t) => {
  const storage = memoryStorage();
  const cached = withLookupCache(storage, manualClock(), 1_000);
  const find = async () => (await cached.select('accessToken.byDigest', { digest: 'd' }, 1)).length;
  t.is(await find(), 0);
  await expectCommit(storage, { insert: [entityRow('accessToken', row('accessToken', 1, { digest: 'd' }))] });
  t.is(await find(), 1);
});

test('while many ask for the same without a pause, it is looked up a few times and not every time', async (t) => {
  const storage = memoryStorage();
  await expectCommit(storage, { insert: [entityRow('accessToken', row('accessToken', 1, { digest: 'd' }))] });
  let asked = 0;
  const far = overrideStorage(storage, {
    async select(query, args, limit) {
      asked += 1;
      for (let tick = 0; tick < 20; tick += 1) await null;
      return storage.select(query, args, limit);
    },
  });
  const cached = withLookupCache(far, manualClock(), 1_000);
  const asking = async () => {
    for (let time = 0; time < 50; time += 1) await cached.select('accessToken.byDigest', { digest: 'd' }, 1);
  };
  // There is always somebody who has just begun.
  const others = Array.from({ length: 8 }, async (_, place) => {
    for (let tick = 0; tick < 3 * place; tick += 1) await null;
    await asking();
  });
  await Promise.all(others);
  t.true(asked <= 8, `${asked} times`);
});

test('with a TTL of 0 nothing is cached', async (t) => {
  const storage = memoryStorage();
  const cached = withLookupCache(storage, manualClock(), 0);
  const token = row('accessToken', 1, { digest: 'd', description: 'old' });
  await expectCommit(storage, { insert: [entityRow('accessToken', token)] });
  await cached.select('accessToken.byDigest', { digest: 'd' }, 1);
  await expectCommit(storage, { replace: [entityRow('accessToken', { ...token, version: 2, description: 'new' })] });
  t.is((await cached.select('accessToken.byDigest', { digest: 'd' }, 1))[0]?.description, 'new');
});

test('a commit that throws invalidates the cache, because it may have been applied', async (t) => {
  const storage = memoryStorage();
  const broken = overrideStorage(storage, {
    async commit(batch) {
      await storage.commit(batch);
      throw new Error('the connection was lost');
    },
  });
  const cached = withLookupCache(broken, manualClock(), 1_000);
  const token = row('accessToken', 1, { digest: 'd', description: 'old' });
  await expectCommit(storage, { insert: [entityRow('accessToken', token)] });
  await cached.select('accessToken.byDigest', { digest: 'd' }, 1);
  const replace = [entityRow('accessToken', { ...token, version: 2, description: 'new' })];
  await t.throwsAsync(cached.commit({ ...nothing, replace }), { message: 'the connection was lost' });
  t.is((await cached.select('accessToken.byDigest', { digest: 'd' }, 1))[0]?.description, 'new');
});
