import test from 'ava';
import { seed } from '../../property-settings.js';
import { checkMutation } from '../mutation-check.js';
import { serviceMutantSubjects } from '../subjects.js';

// One after the other: they share the seed of the process.
for (const subject of serviceMutantSubjects) {
  test.serial(`broken.${subject.name}`, async (t) => {
    const { caught, cases } = await checkMutation(subject, { seed, runs: 1 });
    t.truthy(caught, `none of ${cases} cases has noticed`);
    t.log(`noticed by ${caught?.id}`);
  });
}
