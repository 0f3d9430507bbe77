export * from './black-box/index.js';
export type { Case } from './case.js';
export * from './report/index.js';
export * from './runner/index.js';
export { serviceCases, serviceClaims } from './service/index.js';
export type { Answer, ServiceHarness } from './service/service.js';
export { throughTransport } from './service/through-transport.js';
export type { Wire, WireAnswer, WireRequest } from './service/wire.js';
export { defaultSeed } from './settings.js';
export {
  type Elsewhere,
  type StorageCase,
  type StorageHarness,
  type StorageNeed,
  storageCases,
} from './storage/index.js';
export * from './transport/index.js';
