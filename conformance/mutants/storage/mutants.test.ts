import test from 'ava';
import { memoryStorage } from '../../../adapters/memory/index.js';
import { storageCases } from '../../storage/index.js';
import { commitMutants } from './commit.js';
import { concurrentReadMutants } from './concurrent-reads.js';
import { freezingStorage, sharingStorage } from './correct-storages.js';
import { correctCounting, countMutants } from './count.js';
import { correctSearch, findMutants } from './find.js';
import { applyStorageMutant, storageMutants } from './mutants.js';

/** The cases that a storage in memory can run. */
const cases = storageCases.filter(({ needs = [] }) => needs.every((need) => need === 'reopen'));

for (const mutant of [...storageMutants, ...findMutants, ...concurrentReadMutants, ...commitMutants, ...countMutants]) {
  test(`the suite catches: storage ${mutant.name}`, async (t) => {
    const open = async () => applyStorageMutant(memoryStorage(), mutant);
    const caughtBy: string[] = [];
    for (const { id, run } of cases) {
      await run({ storage: open, reopen: open }).catch(() => caughtBy.push(id));
      if (caughtBy.length > 0) break;
    }
    t.not(caughtBy.length, 0, 'no case failed');
    t.log(`caught by ${caughtBy[0]}`);
  });
}

for (const correct of [correctSearch, correctCounting]) {
  test(`a correct storage passes: ${correct.name}`, async (t) => {
    const open = async () => applyStorageMutant(memoryStorage(), correct);
    for (const { id, run } of cases) await t.notThrowsAsync(run({ storage: open, reopen: open }), id);
  });
}

for (const wrap of [sharingStorage, freezingStorage]) {
  test(`what the port allows is not noticed: ${wrap.name}`, async (t) => {
    const open = async () => wrap(memoryStorage());
    for (const { id, run } of cases) await t.notThrowsAsync(run({ storage: open, reopen: open }), id);
  });
}
