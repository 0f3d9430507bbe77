export { type NodeHandler, type NodeHandlerOptions, nodeHandler } from './handler.js';
export type { HostRequest } from './mount.js';
export { type ServeOptions, type ServerHandle, serve } from './serve.js';
