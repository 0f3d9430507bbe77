/** The public API of `millrace`. */
export { type Api, createApi } from './api.js';
export { bearerTokenAuthenticator, bearerTokenOf } from './auth/bearer-tokens.js';
export { membershipAuthorizer } from './auth/membership-authorizer.js';
export { formatToken, isWellFormed } from './auth/token-format.js';
export { type ApiError, type ApiErrorData, type ErrorCode, type FieldError, isApiError } from './errors/index.js';
export { type EventFeed, type Listener, makeEventFeed, type SubscribeOptions } from './events.js';
export type { OpenApiDocument } from './http/openapi/index.js';
export { type Scope, scopes } from './model/scopes.js';
export type { ApiOptions, CacheOptions, ContainerApiOptions } from './options.js';
export * from './ports/index.js';
export type { Fixture, FixtureRecord, LoadedFixture, LoadOptions, Provision } from './provisioning/index.js';
export { type Address, type Links, makeLinks } from './representations/links.js';
export type * from './runtime/index.js';
export { idsFromBytes, systemClock, systemIds } from './system.js';
export { createContainer, type DependencyContainer, type InjectionToken, tokens } from './tokens.js';
