import type { Machine } from './machine.js';

/** Whether agents can accept jobs of a queue (spec 3.3). */
export type DispatchState = 'running' | 'paused';
export type DispatchEvent = 'pause' | 'resume';

export const dispatchMachine: Machine<DispatchState, DispatchEvent> = {
  running: { pause: 'paused' },
  paused: { resume: 'running' },
};
