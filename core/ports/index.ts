export * from './auth.js';
export * from './clock.js';
export * from './ids.js';
export * from './pages.js';
export * from './storage.js';
export * from './transport.js';
