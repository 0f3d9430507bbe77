export { type NodeHandler, type NodeHandlerOptions, nodeHandler } from './handler.js';
export { type ServerHandle, serve, serveListener } from './serve.js';
export type { CloseOptions, ListenOptions, ServeOptions } from './serve-options.js';
export type { HostRequest } from './target.js';
