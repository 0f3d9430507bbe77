import test from 'ava';
import { memoryStorage } from '../../../adapters/memory/index.js';
import { storageCases } from '../../storage/index.js';
import { commitMutants } from './commit.js';
import { concurrentReadMutants } from './concurrent-reads.js';
import { freezingStorage, sharingStorage } from './correct-storages.js';
import { correctCounting, countMutants } from './count.js';
import { correctSearch, findMutants } from './find.js';
import { applyStorageMutant, storageMutants } from './mutants.js';

/** What a storage in memory can be asked. */
const cases = storageCases.filter(({ needs = [] }) => needs.every((need) => need === 'reopen'));

for (const mutant of [...storageMutants, ...findMutants, ...concurrentReadMutants, ...commitMutants, ...countMutants]) {
  test(`broken.${mutant.name}`, async (t) => {
    const open = async () => applyStorageMutant(memoryStorage(), mutant);
    const caughtBy: string[] = [];
    for (const { id, run } of cases) {
      await run({ storage: open, reopen: open }).catch(() => caughtBy.push(id));
      if (caughtBy.length > 0) break;
    }
    t.not(caughtBy.length, 0, 'no case has noticed');
    t.log(`noticed by ${caughtBy[0]}`);
  });
}

for (const correct of [correctSearch, correctCounting]) {
  test(`what faults are changes of is not noticed: ${correct.name}`, async (t) => {
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
