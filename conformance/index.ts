export type { Case } from './case.js';
export { type StorageCase, type StorageHarness, storageCases } from './storage/index.js';
