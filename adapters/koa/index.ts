export { type KoaMiddleware, type KoaMiddlewareOptions, koaMiddleware } from './middleware.js';
export { serveKoa } from './serve.js';
