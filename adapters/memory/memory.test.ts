import test from 'ava';
import { testAll } from '../../conformance/bindings/ava.js';
import { storageCases } from '../../conformance/storage/index.js';
import { memoryStorage } from './index.js';

testAll(
  test,
  storageCases,
  async () => ({
    harness: { storage: async () => memoryStorage(), reopen: async () => memoryStorage() },
    close: async () => undefined,
  }),
  ['reopen'],
);
