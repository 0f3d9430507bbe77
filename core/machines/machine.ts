/** A state machine as data: for each state the events that it takes, and where they lead. Exhaustive by type. */
export type Machine<State extends string, Event extends string> = Readonly<
  Record<State, Readonly<Partial<Record<Event, State>>>>
>;

/** Where the event leads from that state; undefined if the state does not take it. */
export function step<State extends string, Event extends string>(
  machine: Machine<State, Event>,
  state: State,
  event: Event,
): State | undefined {
  return machine[state][event];
}

/** Whether that state takes the event. */
export const takes = <State extends string, Event extends string>(
  machine: Machine<State, Event>,
  state: State,
  event: Event,
): boolean => machine[state][event] !== undefined;

/** The states that moves lead to from that one, itself among them, without the moves of those events. */
export function reachableStates<State extends string, Event extends string>(
  machine: Machine<State, Event>,
  from: State,
  without: readonly Event[] = [],
): ReadonlySet<State> {
  const reached = new Set([from]);
  for (const state of reached) {
    for (const [event, next] of Object.entries(machine[state]) as [Event, State][]) {
      if (!without.includes(event)) reached.add(next);
    }
  }
  return reached;
}

/** As `step`, for moves that the caller knows to be legal. A move that is not is a bug in the caller. */
export function transition<State extends string, Event extends string>(
  machine: Machine<State, Event>,
  state: State,
  event: Event,
): State {
  const next = machine[state][event];
  if (next === undefined) throw new Error(`A machine in state ${state} does not take ${event}`);
  return next;
}
