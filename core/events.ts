import type { Storage, StoredEvent } from './ports/index.js';

/** Receives events one after another. The next event waits until the listener has finished. */
export type Listener = (event: StoredEvent) => void | Promise<void>;

/**
 * What happened, in the order in which it happened. Events are stored together with the change that they tell of, so none is
 * lost when the process ends between a change and its delivery: a listener takes up where it left off by sequence number.
 */
export interface EventFeed {
  /** Events with a number above `after`, at most `limit` of them. */
  read(after: number, limit?: number): Promise<StoredEvent[]>;
  /**
   * Delivers events above `after` (default: those that come from now on), in order, until the returned function is called.
   * A listener that throws is given the same event again when the next one wakes it.
   */
  subscribe(listener: Listener, options?: { after?: number }): Promise<() => void>;
  /** Looks for new events: after a commit of this process by itself; for those of other processes, call it as often as you like. */
  wake(): void;
  /** Deletes the events up to and including this number. */
  forget(upTo: number): Promise<void>;
  /** Resolves when no delivery is under way: what listeners were woken for so far has reached them, or was reported. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

const pageSize = 100;

interface Subscription {
  after: number;
  running: Promise<void> | undefined;
  again: boolean;
  open: boolean;
}

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
        // Whoever woke it in its last moment saw it still running.
        if (subscription.again && subscription.open) wakeOne(subscription, listener);
      });
  }

  const underWay = () => [...subscriptions.keys()].flatMap(({ running }) => running ?? []);

  return {
    read: (after, limit = pageSize) => storage.events(after, limit),
    async subscribe(listener, options = {}) {
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
