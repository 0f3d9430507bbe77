import test from 'ava';
import { memoryStorage } from '../../adapters/memory/index.js';
import { broken, faults } from './broken.js';
import { committingFaults } from './broken-committing.js';
import { findingFaults, rightSearch } from './broken-finding.js';
import { storageCases } from './index.js';

for (const fault of [...faults, ...findingFaults, ...committingFaults]) {
  test(`broken.${fault.name}`, async (t) => {
    const open = async () => broken(memoryStorage(), fault);
    const noticed: string[] = [];
    for (const { id, run } of storageCases) {
      await run({ storage: open, again: open }).catch(() => noticed.push(id));
      if (noticed.length > 0) break;
    }
    t.not(noticed.length, 0, 'no case has noticed');
    t.log(`noticed by ${noticed[0]}`);
  });
}

test('what the faults of searching are changes of is not noticed', async (t) => {
  const open = async () => broken(memoryStorage(), rightSearch);
  for (const { id, run } of storageCases) await t.notThrowsAsync(run({ storage: open, again: open }), id);
});
