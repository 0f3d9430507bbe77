/** The public face: all that an outsider may name. */
export { type Api, createApi } from './api.js';
export { isWellFormed, withChecksum } from './auth/token-text.js';
export type { OpenApiDocument } from './contract/openapi/index.js';
export { type Scope, scopes } from './contract/operation.js';
export { type FieldError, Refusal } from './contract/refusal.js';
export type { EventFeed, Listener } from './events.js';
export {
  type Fixture,
  type FixtureRecord,
  FixtureRefusal,
  type Loaded,
  type LoadOptions,
} from './host/fixture/index.js';
export type { Host } from './host/index.js';
export * from './ports/index.js';
export type { ApiOptions } from './settings.js';
export { idsFrom } from './system.js';
