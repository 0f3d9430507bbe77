import { isUnfinished, jobStates } from '../../../core/machines/index.js';

/** The states of a job that is not done yet: those that canceling a build ends. */
export const unfinishedJobStates = jobStates.filter(isUnfinished);

/** The same as SQL: `('pending', …)`. */
export const unfinishedJobStatesSql = `(${unfinishedJobStates.map((state) => `'${state}'`).join(', ')})`;
