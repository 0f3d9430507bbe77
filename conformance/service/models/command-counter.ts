/** Number of model commands that ran in this process. */
export const commandCounter = { count: 0 };
