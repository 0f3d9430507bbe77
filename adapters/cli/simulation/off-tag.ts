/** For an agent with this tag, the simulation only sends heartbeats: it keeps its current job. */
export const simulationOffTag = 'simulation=off';
