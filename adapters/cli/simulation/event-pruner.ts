import type { EventFeed } from '../../../core/index.js';

/** So many events are kept for whoever reads them. */
const keptEvents = 10_000;
/** Forgetting is put off until it is worth it. */
const minBatch = 1_000;

/** Drops old events now and then: a demo that runs for weeks has nobody else who would. */
export function createEventPruner(events: Pick<EventFeed, 'forget'>) {
  let newest = 0;
  let forgotten = 0;
  return {
    saw(sequence: number): void {
      newest = Math.max(newest, sequence);
    },
    async old(): Promise<void> {
      if (newest - keptEvents - forgotten < minBatch) return;
      forgotten = newest - keptEvents;
      await events.forget(forgotten);
    },
  };
}
