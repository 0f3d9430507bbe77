import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import type { Storage } from '../../core/ports/index.js';
import type { AnyRow } from '../arbitraries/rows.js';
import { HarnessBroke } from '../runner/fault.js';
import { runs } from '../settings.js';
import { carriedOut, put } from './batch.js';
import { type StorageCase, type StorageHarness, storageCase } from './case.js';
import { type Acknowledged, killedAfter } from './killing.js';
import { base, heldIn, numbered, sequence } from './numbered.js';

const cites = ['storage: commit', 'storage: StorageClaims'];
/** Numbers of one life of the other process. */
const ofALife = 100_000;

/** Has another process write to the database of the storage, and kills it. */
function killed(harness: StorageHarness, storage: Storage, life: number, count: number): Promise<Acknowledged[]> {
  const { elsewhere } = harness;
  if (elsewhere === undefined) throw new HarnessBroke('The harness does not say how another process gets at a storage');
  const { module } = elsewhere;
  return killedAfter(count, { module, place: elsewhere.placeOf(storage), from: life * ofALife });
}

/** The columns of a row, without what it is related to. */
const columnsOf = (stored: AnyRow, names: readonly string[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(names.map((name) => [name, stored[name]]));

/** Every acknowledged batch is there with all that belongs to it, and of the others all of it or nothing. */
async function checkAll(storage: Storage, acknowledged: readonly Acknowledged[]): Promise<void> {
  const { clusters, queues, events } = await heldIn(storage);
  const numbers = events.map(({ data }) => (data as { readonly number: number }).number);
  for (const { number } of acknowledged) ok(numbers.includes(number), `batch ${number} was acknowledged, and is lost`);
  strictEqual(new Set(numbers).size, numbers.length, 'a batch is there twice');
  for (const number of numbers) {
    const batch = numbered(number);
    const stored = clusters.get(batch.cluster.id);
    ok(stored !== undefined, `of batch ${number} there is the event, and not the cluster`);
    deepStrictEqual(columnsOf(stored, Object.keys(batch.cluster)), batch.cluster);
    const ids = (rows: readonly AnyRow[]) => rows.map(({ id }) => id).toSorted();
    const found = queues.get(batch.cluster.id) ?? [];
    deepStrictEqual(ids(found), ids(batch.queues), `of batch ${number} there are not all queues`);
  }
  strictEqual(clusters.size, 1 + numbers.length, 'there is a cluster of a batch whose event is missing');
  strictEqual(clusters.get(base().id)?.version, 1 + numbers.length, 'each batch has touched the base once');
  const sequences = events.map((event) => event.sequence);
  deepStrictEqual(
    sequences,
    [...new Set(sequences)].toSorted((a, b) => a - b),
    'events come in their order',
  );
}

export const restartingCases: readonly StorageCase[] = [
  storageCase(
    'restart.killed-while-writing',
    cites,
    async (harness) => {
      let storage = await harness.storage();
      await carriedOut(storage, { insert: [put('cluster', base())] });
      const all: Acknowledged[] = [];
      for (let life = 0; life < runs(4); life += 1) {
        await storage.close();
        // A little later each time, so that it strikes in all phases of a write.
        all.push(...(await killed(harness, storage, life, 5 + life * 4)));
        storage = await harness.again(storage);
        await checkAll(storage, all);
        const highest = Math.max(...all.map(({ taken }) => taken));
        strictEqual(new Set(all.map(({ taken }) => taken)).size, all.length, 'a number was given twice');
        ok((await storage.next(sequence)) > highest, `number ${highest} was given, and would be given again`);
      }
    },
    ['again', 'restart'],
  ),

  storageCase(
    'restart.others-go-on',
    cites,
    async (harness) => {
      const storage = await harness.storage();
      await carriedOut(storage, { insert: [put('cluster', base())] });
      let isOver = false;
      const written: Acknowledged[] = [];
      const writer = async () => {
        for (let number = 10 * ofALife; !isOver; number += 1) {
          const taken = await storage.next(sequence);
          await carriedOut(storage, numbered(number).batch);
          written.push({ number, taken });
        }
      };
      const killing = killed(harness, storage, 0, 10).finally(() => {
        isOver = true;
      });
      const [theirs] = await Promise.all([killing, writer()]);
      // What the dead process held on to must not be in the way of anybody.
      const last = { number: 20 * ofALife, taken: await storage.next(sequence) };
      await carriedOut(storage, numbered(last.number).batch);
      const all = [...theirs, ...written, last];
      strictEqual(new Set(all.map(({ taken }) => taken)).size, all.length, 'a number was given twice');
      await checkAll(storage, all);
    },
    ['again', 'restart', 'shared'],
  ),
];
