import test from 'ava';
import { memoryStorage } from '../../adapters/memory/index.js';
import { broken, faults } from './broken.js';
import { askingAtOnceFaults } from './broken-asking-at-once.js';
import { committingFaults } from './broken-committing.js';
import { countingFaults, rightCounting } from './broken-counting.js';
import { findingFaults, rightSearch } from './broken-finding.js';
import { storageCases } from './index.js';

/** What a storage in memory can be asked. */
const cases = storageCases.filter(({ needs = [] }) => needs.every((need) => need === 'again'));

for (const fault of [...faults, ...findingFaults, ...askingAtOnceFaults, ...committingFaults, ...countingFaults]) {
  test(`broken.${fault.name}`, async (t) => {
    const open = async () => broken(memoryStorage(), fault);
    const noticed: string[] = [];
    for (const { id, run } of cases) {
      await run({ storage: open, again: open }).catch(() => noticed.push(id));
      if (noticed.length > 0) break;
    }
    t.not(noticed.length, 0, 'no case has noticed');
    t.log(`noticed by ${noticed[0]}`);
  });
}

for (const right of [rightSearch, rightCounting]) {
  test(`what faults are changes of is not noticed: ${right.name}`, async (t) => {
    const open = async () => broken(memoryStorage(), right);
    for (const { id, run } of cases) await t.notThrowsAsync(run({ storage: open, again: open }), id);
  });
}
