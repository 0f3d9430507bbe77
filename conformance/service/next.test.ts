import test from 'ava';
import { memoryStorage } from '../../adapters/memory/index.js';
import { testAll } from '../bindings/ava.js';
import { pages } from './cases/pages.js';
import { tenants } from './cases/tenants.js';
import { resourceCases } from './resources.js';

testAll(test, [...resourceCases, ...tenants, ...pages], async () => ({
  harness: { storage: async () => memoryStorage() },
  close: async () => undefined,
}));
