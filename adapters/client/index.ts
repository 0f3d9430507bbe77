export { type ClientOptions, createClient, type HttpClientOptions, type InProcessClientOptions } from './client.js';
export type { Links, Page } from './page.js';
export type * from './resources.js';
export { ApiError, type ApiResult, type ErrorResult } from './result.js';
export type { CallOptions } from './types.js';
