/** The states of a job that is not done yet: those that canceling a build ends. */
export const unfinished = [
  'pending',
  'waiting',
  'blocked',
  'limiting',
  'limited',
  'scheduled',
  'assigned',
  'accepted',
  'running',
  'canceling',
  'timing_out',
];

/** The same as SQL: `('pending', …)`. */
export const unfinishedList = `(${unfinished.map((state) => `'${state}'`).join(', ')})`;
