export * from './black-box/index.js';
export type { Case } from './case.js';
export { defaultSeed } from './property-settings.js';
export * from './report/index.js';
export * from './runner/index.js';
export { serviceCapabilities, serviceCases } from './service/index.js';
export type { ParsedResponse, ServiceHarness } from './service/service.js';
export { wireOverTransport } from './service/through-transport.js';
export type { Wire, WireRequest, WireResponse } from './service/wire.js';
export {
  type OtherProcess,
  type StorageCase,
  type StorageHarness,
  type StorageHarnessCapability,
  storageCases,
} from './storage/index.js';
export * from './transport/index.js';
