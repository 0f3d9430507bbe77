export { type FetchHandler, type FetchHandlerOptions, fetchHandler } from './handler.js';
