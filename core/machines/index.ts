export * from './agent.js';
export * from './build.js';
export * from './follow.js';
export * from './job.js';
export * from './lifecycle.js';
export * from './machine.js';
export * from './progress.js';
export * from './queue.js';
