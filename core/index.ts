/** The public face: all that an outsider may name. */
export { type Api, createApi } from './api.js';
export { formatToken, isWellFormed } from './auth/token-format.js';
export { type ApiError, type ApiErrorData, type ErrorCode, type FieldError, isApiError } from './errors/index.js';
export type { EventFeed, Listener } from './events.js';
export type { OpenApiDocument } from './http/openapi/index.js';
export { type Scope, scopes } from './model/scopes.js';
export type { ApiOptions } from './options.js';
export * from './ports/index.js';
export type {
  Fixture,
  FixtureRecord,
  LoadedFixture,
  LoadOptions,
} from './provisioning/index.js';
export type { Runtime } from './runtime/index.js';
export { idsFromBytes } from './system.js';
