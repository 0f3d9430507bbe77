import fc from 'fast-check';
import type { MachineJob } from './advance-jobs.js';
import type { JobState } from './job.js';

/** States that a job of a type can be in. Only scripts are limited, run and end in many ways. */
const runnableStates: JobState[] = [
  ...([
    'pending',
    'waiting',
    'blocked',
    'limiting',
    'limited',
    'scheduled',
    'assigned',
    'accepted',
    'running',
  ] as const),
  ...([
    'passed',
    'failed',
    'canceling',
    'canceled',
    'timing_out',
    'timed_out',
    'skipped',
    'broken',
    'expired',
  ] as const),
];
const barrierStates: JobState[] = ['pending', 'waiting', 'blocked', 'canceled', 'skipped', 'broken'];
const states: Record<MachineJob['type'], JobState[]> = {
  script: runnableStates,
  trigger: runnableStates,
  waiter: [...barrierStates, 'passed', 'waiting_failed'],
  manual: [...barrierStates, 'blocked_failed', 'unblocked', 'unblocked_failed'],
};

/** Any job, in any state that its type allows, whether or not a build ever gets there. */
export const anyJob: fc.Arbitrary<MachineJob> = fc
  .constantFrom<MachineJob['type']>('script', 'script', 'script', 'trigger', 'waiter', 'waiter', 'manual')
  .chain((type) =>
    fc.record({
      type: fc.constant(type),
      state: fc.constantFrom(...states[type]),
      soft_failed: fc.boolean(),
      retried: fc.integer({ min: 0, max: 9 }).map((roll) => type !== 'waiter' && type !== 'manual' && roll === 0),
      continue_on_failure: fc.boolean(),
    }),
  );

export const anyJobs = fc.array(anyJob, { maxLength: 14, size: 'medium' });

/** One job, quickly written. */
export const makeJob = (type: MachineJob['type'], state: JobState, more: Partial<MachineJob> = {}): MachineJob => ({
  type,
  state,
  soft_failed: false,
  retried: false,
  continue_on_failure: false,
  ...more,
});
