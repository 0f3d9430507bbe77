import test from 'ava';
import { memoryStorage } from '../../adapters/memory/index.js';
import { testAll } from '../bindings/ava.js';
import { secondOpinion } from './_second-opinion.test.js';
import { serviceCases } from './index.js';

const judge = secondOpinion();

testAll(test, serviceCases, async () => ({
  harness: { storage: async () => memoryStorage(), judge },
  close: async () => undefined,
}));
