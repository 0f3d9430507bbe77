import { testCombination } from './_run.test.js';

testCombination(import.meta.url);
