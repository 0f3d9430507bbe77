export type { Case } from './case.js';
export * from './report/index.js';
export * from './runner/index.js';
export { serviceCases } from './service/index.js';
export type { Answer, ServiceHarness } from './service/service.js';
export type { Wire, WireAnswer, WireRequest } from './service/wire.js';
export { defaultSeed } from './settings.js';
export { type StorageCase, type StorageHarness, storageCases } from './storage/index.js';
export * from './transport/index.js';
