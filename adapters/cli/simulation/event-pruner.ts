import type { EventFeed } from '../../../core/index.js';

/** The number of newest events that are kept for subscribers. */
const retainedEvents = 10_000;
/** The smallest number of events that is worth a call of `forget`. */
const minBatch = 1_000;

/** Forgets old events from time to time: a demo may run for weeks, and no other program does it. */
export function createEventPruner(events: Pick<EventFeed, 'forget'>) {
  let newest = 0;
  let forgotten = 0;
  return {
    onEvent(sequence: number): void {
      newest = Math.max(newest, sequence);
    },
    async prune(): Promise<void> {
      if (newest - retainedEvents - forgotten < minBatch) return;
      forgotten = newest - retainedEvents;
      await events.forget(forgotten);
    },
  };
}
