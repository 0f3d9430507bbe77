export { type NodeHandler, type NodeHandlerOptions, nodeHandler } from './handler.js';
export { type ListenOptions, type ServeOptions, type ServerHandle, serve, serveListener } from './serve.js';
export type { HostRequest } from './target.js';
