import { deepStrictEqual, ok, strictEqual } from 'node:assert';
import type { Storage } from '../../core/ports/index.js';
import type { AnyRow } from '../arbitraries/rows.js';
import { scaledRuns } from '../property-settings.js';
import { HarnessError } from '../runner/failure.js';
import { entityRow, expectCommit } from './batch.js';
import { type StorageCase, type StorageHarness, storageCase } from './case.js';
import { type AcknowledgedBatch, killWriterAfter } from './kill-writer.js';
import { baseCluster, numberedBatch, readNumberedBatches, sequenceName } from './numbered-batch.js';

const cites = ['storage: commit', 'storage: StorageClaims'];
/** The numbers of the batches that one run of the other process uses. */
const numbersPerProcess = 100_000;

/** Starts another process that writes to the database of the storage, and kills it. */
function runWriterUntilKilled(
  harness: StorageHarness,
  storage: Storage,
  processNumber: number,
  count: number,
): Promise<AcknowledgedBatch[]> {
  const { otherProcess } = harness;
  if (otherProcess === undefined)
    throw new HarnessError('The harness does not say how another process opens a storage');
  const { module } = otherProcess;
  return killWriterAfter(count, {
    module,
    location: otherProcess.locationOf(storage),
    firstNumber: processNumber * numbersPerProcess,
  });
}

/** The columns of a row without its relations. */
const pickColumns = (stored: AnyRow, names: readonly string[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(names.map((name) => [name, stored[name]]));

/** Checks that every acknowledged batch is stored, and that every other batch is stored completely or not at all. */
async function expectNothingLost(storage: Storage, acknowledged: readonly AcknowledgedBatch[]): Promise<void> {
  const { clusters, queues, events } = await readNumberedBatches(storage);
  const numbers = events.map(({ data }) => (data as { readonly number: number }).number);
  for (const { number } of acknowledged) ok(numbers.includes(number), `batch ${number} was acknowledged but is lost`);
  strictEqual(new Set(numbers).size, numbers.length, 'a batch is stored twice');
  for (const number of numbers) {
    const batch = numberedBatch(number);
    const stored = clusters.get(batch.cluster.id);
    ok(stored !== undefined, `batch ${number} has its event but not its cluster`);
    deepStrictEqual(pickColumns(stored, Object.keys(batch.cluster)), batch.cluster);
    const ids = (rows: readonly AnyRow[]) => rows.map(({ id }) => id).toSorted();
    const found = queues.get(batch.cluster.id) ?? [];
    deepStrictEqual(ids(found), ids(batch.queues), `batch ${number} does not have all of its queues`);
  }
  strictEqual(clusters.size, 1 + numbers.length, 'a batch has its cluster but not its event');
  strictEqual(clusters.get(baseCluster().id)?.version, 1 + numbers.length, 'each batch touched the base cluster once');
  const sequences = events.map((event) => event.sequence);
  deepStrictEqual(
    sequences,
    [...new Set(sequences)].toSorted((a, b) => a - b),
    'events are in order',
  );
}

export const crashRecoveryCases: readonly StorageCase[] = [
  storageCase(
    'restart.killed-while-writing',
    cites,
    async (harness) => {
      let storage = await harness.storage();
      await expectCommit(storage, { insert: [entityRow('cluster', baseCluster())] });
      const all: AcknowledgedBatch[] = [];
      for (let processNumber = 0; processNumber < scaledRuns(4); processNumber += 1) {
        await storage.close();
        // Each kill comes a little later, so that the kills hit all phases of a write.
        all.push(...(await runWriterUntilKilled(harness, storage, processNumber, 5 + processNumber * 4)));
        storage = await harness.reopen(storage);
        await expectNothingLost(storage, all);
        const highest = Math.max(...all.map(({ sequenceNumber }) => sequenceNumber));
        strictEqual(
          new Set(all.map(({ sequenceNumber }) => sequenceNumber)).size,
          all.length,
          'a sequence returned a number twice',
        );
        ok((await storage.next(sequenceName)) > highest, `the sequence would return ${highest} a second time`);
      }
    },
    ['reopen', 'restart'],
  ),

  storageCase(
    'restart.others-go-on',
    cites,
    async (harness) => {
      const storage = await harness.storage();
      await expectCommit(storage, { insert: [entityRow('cluster', baseCluster())] });
      let isOver = false;
      const written: AcknowledgedBatch[] = [];
      const writer = async () => {
        for (let number = 10 * numbersPerProcess; !isOver; number += 1) {
          const sequenceNumber = await storage.next(sequenceName);
          await expectCommit(storage, numberedBatch(number).batch);
          written.push({ number, sequenceNumber });
        }
      };
      const killing = runWriterUntilKilled(harness, storage, 0, 10).finally(() => {
        isOver = true;
      });
      const [writtenByKilled] = await Promise.all([killing, writer()]);
      // Locks of the killed process must not block others.
      const last = { number: 20 * numbersPerProcess, sequenceNumber: await storage.next(sequenceName) };
      await expectCommit(storage, numberedBatch(last.number).batch);
      const all = [...writtenByKilled, ...written, last];
      strictEqual(
        new Set(all.map(({ sequenceNumber }) => sequenceNumber)).size,
        all.length,
        'a sequence returned a number twice',
      );
      await expectNothingLost(storage, all);
    },
    ['reopen', 'restart', 'shared'],
  ),
];
