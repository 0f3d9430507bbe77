/** What the models of this process have done to services. */
export const carriedOut = { commands: 0 };
