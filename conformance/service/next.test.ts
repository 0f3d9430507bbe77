import test from 'ava';
import { memoryStorage } from '../../adapters/memory/index.js';
import { testAll } from '../bindings/ava.js';
import { resourceCases } from './resources.js';

testAll(test, resourceCases, async () => ({
  harness: { storage: async () => memoryStorage() },
  close: async () => undefined,
}));
