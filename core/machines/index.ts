export * from './advance-jobs.js';
export * from './agent.js';
export * from './build.js';
export * from './derive-build-event.js';
export * from './job.js';
export * from './lifecycle.js';
export * from './machine.js';
export * from './queue.js';
