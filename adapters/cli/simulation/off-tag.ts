/** An agent with this tag is kept alive by the simulation and never moved: what it does now, it goes on doing. */
export const simulationOffTag = 'simulation=off';
