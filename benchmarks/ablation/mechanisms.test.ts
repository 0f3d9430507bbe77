import test from 'ava';
import { defaultTuning } from '../../adapters/knex/tuning.js';
import { memoryStorage } from '../../adapters/memory/index.js';
import { resolveOptions } from '../../core/options.js';
import { organizationFixture } from '../data/organization.js';
import { sizes } from '../data/size.js';
import { linesOf } from './index.js';
import { loadNames, loads } from './loads.js';
import { mechanisms } from './mechanisms.js';

test('mechanisms.their-files-exist', (t) => {
  for (const { name, files } of mechanisms) {
    const lines = linesOf(files);
    t.true(files.length === 0 || lines > files.length, name);
  }
});

test('mechanisms.every-switch-is-measured', (t) => {
  const { cache } = resolveOptions({ storage: memoryStorage() });
  const tuning = mechanisms.flatMap(({ off }) => Object.keys(off.tuning ?? {}));
  const caches = mechanisms.flatMap(({ off }) => Object.keys(off.cache ?? {}));
  t.deepEqual(tuning.sort(), Object.keys(defaultTuning).sort());
  t.deepEqual(caches.sort(), Object.keys(cache).sort());
});

test('mechanisms.every-load-has-requests', (t) => {
  for (const name of loadNames) {
    t.true(loads[name].requests(sizes.tiny, organizationFixture(sizes.tiny)).length > 0, name);
  }
});
