import test from 'ava';
import { memoryStorage } from '../../adapters/memory/index.js';
import { operations } from '../../core/operations/index.js';
import { testAll } from '../bindings/ava.js';
import { secondOpinion } from './_second-opinion.test.js';
import { seen } from './coverage.js';
import { serviceCases } from './index.js';

const judge = secondOpinion();

let opened = 0;
testAll(test, serviceCases, async () => {
  opened += 1;
  return { harness: { storage: async () => memoryStorage(), judge }, close: async () => undefined };
});

test.after('every declared status was answered, every field of the specification seen', (t) => {
  // A run of some of the cases says nothing about what all of them cover.
  if (opened < serviceCases.length) return;
  t.deepEqual(seen.gaps(operations), []);
  t.deepEqual(seen.unseen(), []);
});
