/** What the models of this process have done to services. */
export const commandCounter = { count: 0 };
