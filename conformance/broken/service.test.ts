import test from 'ava';
import { seed } from '../settings.js';
import { bite } from './bite.js';
import { brokenServices } from './subjects.js';

// One after the other: they share the seed of the process.
for (const subject of brokenServices) {
  test.serial(`broken.${subject.name}`, async (t) => {
    const { caught, cases } = await bite(subject, { seed, runs: 1 });
    t.truthy(caught, `none of ${cases} cases has noticed`);
    t.log(`noticed by ${caught?.id}`);
  });
}
