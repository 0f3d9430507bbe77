/** A state machine as data: for each state, the accepted events and the next states. Exhaustive by type. */
export type Machine<State extends string, Event extends string> = Readonly<
  Record<State, Readonly<Partial<Record<Event, State>>>>
>;

/** The next state after an event. Undefined if the state does not accept the event. */
export function step<State extends string, Event extends string>(
  machine: Machine<State, Event>,
  state: State,
  event: Event,
): State | undefined {
  return machine[state][event];
}

/** Whether the state accepts the event. */
export const takes = <State extends string, Event extends string>(
  machine: Machine<State, Event>,
  state: State,
  event: Event,
): boolean => machine[state][event] !== undefined;

/** The states that can be reached from a state, including itself, without the events in `without`. */
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

/** Like `step`, for transitions that the caller knows to be valid. An invalid one is a bug in the caller. */
export function transition<State extends string, Event extends string>(
  machine: Machine<State, Event>,
  state: State,
  event: Event,
): State {
  const next = machine[state][event];
  if (next === undefined) throw new Error(`A machine in state ${state} does not take ${event}`);
  return next;
}
