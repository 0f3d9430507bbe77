import { setImmediate } from 'node:timers';

/** Inputs of one kind that were not sent yet, and the promise of their results. */
interface PendingBatch {
  readonly inputs: unknown[];
  readonly results: Promise<readonly unknown[]>;
  send(): void;
}

/**
 * Joins calls of the same turn of the event loop, and sends them at its end. A server under load reads several requests from
 * its sockets in each turn, and most of the cost of a small query is the trip: so calls that one statement can answer become
 * one statement, and equal calls become one. No result is older than its call, since nothing joins a batch that was sent.
 */
export class Coalescer {
  readonly #pending = new Map<string, PendingBatch>();
  readonly #inFlight = new Set<string>();
  readonly #serialize: boolean;

  /**
   * With `serialize`, calls wait while a batch of their kind is in flight. Where a trip is short,
   * this makes fewer and larger batches.
   */
  constructor(serialize: boolean) {
    this.#serialize = serialize;
  }

  /** Runs once for all calls of this turn with the same key. */
  async dedupe<T>(key: string, run: () => Promise<T>): Promise<T> {
    return (await this.#pendingBatch(key, async () => [await run()]).results)[0] as T;
  }

  /** Runs once for all calls of this turn with the same key; `runBatch` returns a result for each input, in their order. */
  async batch<Input, Result>(
    batchKey: string,
    input: Input,
    runBatch: (inputs: readonly Input[]) => Promise<readonly Result[]>,
  ): Promise<Result> {
    const pendingBatch = this.#pendingBatch(batchKey, (inputs) => runBatch(inputs as Input[]));
    const index = pendingBatch.inputs.push(input) - 1;
    return (await pendingBatch.results)[index] as Result;
  }

  #pendingBatch(batchKey: string, runBatch: (inputs: readonly unknown[]) => Promise<readonly unknown[]>): PendingBatch {
    const pending = this.#pending.get(batchKey);
    if (pending) return pending;
    const inputs: unknown[] = [];
    let send = () => {};
    const sent = new Promise<void>((resolve) => {
      send = resolve;
    });
    const results = sent.then(() => runBatch(inputs)).finally(() => this.#settled(batchKey));
    const pendingBatch = { inputs, results, send };
    this.#pending.set(batchKey, pendingBatch);
    // Imported from the module, so that a test with fake global timers does not stop its database.
    if (!this.#serialize || !this.#inFlight.has(batchKey)) setImmediate(() => this.#send(batchKey));
    return pendingBatch;
  }

  #send(batchKey: string): void {
    const pendingBatch = this.#pending.get(batchKey);
    this.#pending.delete(batchKey);
    this.#inFlight.add(batchKey);
    pendingBatch?.send();
  }

  #settled(batchKey: string): void {
    this.#inFlight.delete(batchKey);
    if (this.#serialize && this.#pending.has(batchKey)) this.#send(batchKey);
  }
}
