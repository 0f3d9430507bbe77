export { type ClientOptions, createClient } from './client.js';
export type { Links, Page } from './page.js';
export { ApiError, type ApiResult, type ErrorResult } from './result.js';
export type { Client } from './types.js';
