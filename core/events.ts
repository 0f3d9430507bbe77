import { type ChecksOf, checkOptions, integerFrom } from './options-check.js';
import type { Storage, StoredEvent } from './ports/index.js';

/** Is called with events, one after the other: the next one waits until the returned promise resolves. */
export type Listener = (event: StoredEvent) => void | Promise<void>;

/** Options of `subscribe`. */
export interface SubscribeOptions {
  /** Sequence number of the last event that was dealt with already. Default: the newest event, so that only new ones come. */
  readonly after?: number;
}

/**
 * What happened, in the order in which it happened. Events are stored in the same commit as the change that they tell of, so
 * none is lost when the process ends between a change and its delivery: a listener resumes by sequence number. Calls reject with
 * `StorageUnavailable` when the database cannot be reached.
 *
 * @example
 * const stop = await api.events.subscribe(async (event) => {
 *   if (event.type === 'build.finished') await notify(event.data);
 *   await remember(event.sequence);
 * }, { after: await lastRemembered() });
 */
export interface EventFeed {
  /** Events with a sequence number above `after`, in order, at most `limit` (default: 100) of them. */
  read(after: number, limit?: number): Promise<StoredEvent[]>;
  /**
   * Delivers events in order, until the returned function is called. A listener that throws gets the same event again when the
   * next one wakes it; its error goes to the option `onError` of the Api.
   *
   * @throws `TypeError`: an option is unknown or wrong.
   */
  subscribe(listener: Listener, options?: SubscribeOptions): Promise<() => void>;
  /**
   * Looks for new events. Commits of this process call it by themselves; for commits of other processes, call it as often as
   * events should arrive.
   */
  wake(): void;
  /** Deletes the events up to and including that number. */
  forget(upTo: number): Promise<void>;
  /** Resolves when no delivery is under way: every event so far has reached its listeners, or their errors were reported. */
  settled(): Promise<void>;
  /** Ends all subscriptions; resolves when the listeners that are running have returned. `api.close()` calls it. */
  close(): Promise<void>;
}

const subscribeOptionChecks: ChecksOf<SubscribeOptions> = { after: integerFrom(0) };

const pageSize = 100;

interface Subscription {
  after: number;
  running: Promise<void> | undefined;
  again: boolean;
  open: boolean;
}

/** The event feed over the outbox of a storage. `report` is called with the errors of listeners. */
export function makeEventFeed(storage: Storage, report: (error: unknown) => void): EventFeed {
  const subscriptions = new Map<Subscription, Listener>();

  async function deliver(subscription: Subscription, listener: Listener): Promise<void> {
    while (subscription.again && subscription.open) {
      subscription.again = false;
      for (let page = await storage.events(subscription.after, pageSize); page.length > 0; ) {
        for (const event of page) {
          if (!subscription.open) return;
          await listener(event);
          subscription.after = event.sequence;
        }
        page = page.length < pageSize ? [] : await storage.events(subscription.after, pageSize);
      }
    }
  }

  function wakeOne(subscription: Subscription, listener: Listener): void {
    subscription.again = true;
    subscription.running ??= deliver(subscription, listener)
      .catch((error) => {
        // A listener that commits a change and then throws must not wake itself endlessly.
        subscription.again = false;
        report(error);
      })
      .finally(() => {
        subscription.running = undefined;
        // It may have been woken after its last read, while it was still marked as running.
        if (subscription.again && subscription.open) wakeOne(subscription, listener);
      });
  }

  const underWay = () => [...subscriptions.keys()].flatMap(({ running }) => running ?? []);

  return {
    read: (after, limit = pageSize) => storage.events(after, limit),
    async subscribe(listener, options = {}) {
      checkOptions('events.subscribe', options, subscribeOptionChecks);
      const after = options.after ?? (await newest(storage));
      const subscription: Subscription = { after, running: undefined, again: false, open: true };
      subscriptions.set(subscription, listener);
      wakeOne(subscription, listener);
      return () => {
        subscription.open = false;
        subscriptions.delete(subscription);
      };
    },
    wake() {
      for (const [subscription, listener] of subscriptions) wakeOne(subscription, listener);
    },
    forget: (upTo) => storage.forgetEvents(upTo),
    async settled() {
      for (let running = underWay(); running.length > 0; running = underWay()) await Promise.all(running);
    },
    async close() {
      const running = underWay();
      for (const subscription of subscriptions.keys()) subscription.open = false;
      subscriptions.clear();
      await Promise.all(running);
    },
  };
}

/** The number of the newest event. The search doubles, then halves its step, so that a long outbox costs few reads. */
async function newest(storage: Storage): Promise<number> {
  let low = 0;
  let step = 1;
  while (step >= 1) {
    const [next] = await storage.events(low + step - 1, 1);
    if (next) {
      low = next.sequence;
      step *= 2;
    } else {
      step = Math.floor(step / 2);
    }
  }
  return low;
}
