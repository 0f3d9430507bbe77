import test from 'ava';
import { seed } from '../../property-settings.js';
import { checkMutation } from '../mutation-check.js';
import { serviceMutantSubjects } from '../subjects.js';

// Serial: the seed is a setting of the whole process.
for (const subject of serviceMutantSubjects) {
  test.serial(`the suite catches: ${subject.name}`, async (t) => {
    const { caught, cases } = await checkMutation(subject, { seed, runs: 1 });
    t.truthy(caught, `none of ${cases} cases failed`);
    t.log(`caught by ${caught?.id}`);
  });
}
