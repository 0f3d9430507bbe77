export { type NodeHandler, type NodeHandlerOptions, nodeHandler } from './handler.js';
export type { HostRequest } from './mount.js';
export { type ListenOptions, type ServeOptions, type ServerHandle, serve, serveListener } from './serve.js';
