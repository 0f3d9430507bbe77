import test from 'ava';
import { memoryStorage } from '../../adapters/memory/index.js';
import { testAll } from '../bindings/ava.js';
import { serviceCases } from './index.js';

testAll(test, serviceCases, async () => ({
  harness: { storage: async () => memoryStorage() },
  close: async () => undefined,
}));
