import { isUnfinished, jobStates } from '../../../core/machines/index.js';

/** The states of unfinished jobs, which end when a build is canceled. */
export const unfinishedJobStates = jobStates.filter(isUnfinished);

/** The states as an SQL list: `('pending', …)`. */
export const unfinishedJobStatesSql = `(${unfinishedJobStates.map((state) => `'${state}'`).join(', ')})`;
