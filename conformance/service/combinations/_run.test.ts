import { basename } from 'node:path';
import test from 'ava';
import { operations } from '../../api/index.js';
import { testAll } from '../../bindings/ava.js';
import { runFactor, seed, setSeedAndRuns } from '../../property-settings.js';
import { openApiValidator } from '../_openapi-validator.test.js';
import { coverage } from '../coverage.js';
import { casesOfRun, combinations, isAskedEverything, isFullRun } from './combination.js';
import type { StoragePool } from './pooled-storage.js';

/** Makes tests of all cases of the combination that the file is named after. */
export function testCombination(url: string): void {
  const name = basename(url, '.test.js');
  const found = combinations.find((one) => one.name === name);
  if (found === undefined) throw new Error(`${name} is no combination`);
  const { backend, transport, runShare } = found;
  const asked = casesOfRun(found);
  // What a transport brings was judged in process already, where it is the same.
  const validator = transport.wire === undefined ? { validateResponse: openApiValidator() } : {};
  let pool: StoragePool;
  let opened = 0;

  test.before(async () => {
    setSeedAndRuns({ seed, runs: runFactor * runShare });
    pool = await backend.open();
  });

  testAll(
    test.serial,
    asked,
    async () => {
      opened += 1;
      const wire = transport.wire === undefined ? {} : { wire: transport.wire };
      return { harness: { storage: () => pool.storage(), ...validator, ...wire }, close: async () => undefined };
    },
    transport.capabilities,
  );

  test.after('every declared status was answered, every field of the specification seen', (t) => {
    // A run of some of the cases says nothing about what all of them cover.
    if (opened < asked.length || !(isFullRun || isAskedEverything(found))) return;
    t.deepEqual(coverage.statusGaps(operations), []);
    t.deepEqual(coverage.fieldGaps(), []);
  });

  test.after.always(() => pool.close());
}
