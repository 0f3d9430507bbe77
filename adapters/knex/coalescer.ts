import { setImmediate } from 'node:timers';

/** Questions of one kind that have not been sent yet, and what becomes of them. */
interface PendingBatch {
  readonly inputs: unknown[];
  readonly results: Promise<readonly unknown[]>;
  send(): void;
}

/**
 * What is asked in one turn of the event loop, asked at its end. A server under load takes several requests off its sockets
 * in each turn, and most of what a small question costs is the trip: so questions that one statement can answer become one,
 * and the same question is asked once. No answer is older than its question, since nothing joins what has been sent.
 */
export class Coalescer {
  readonly #pending = new Map<string, PendingBatch>();
  readonly #inFlight = new Set<string>();
  readonly #serialize: boolean;

  /**
   * With `inTurn`, what is asked while others of its kind are under way waits for them to come back: where a trip is short,
   * that makes fewer and fuller ones.
   */
  constructor(serialize: boolean) {
    this.#serialize = serialize;
  }

  /** Asks what others may be asking as well; `key` is the same for the same question only. */
  async dedupe<T>(key: string, run: () => Promise<T>): Promise<T> {
    return (await this.#pendingBatch(key, async () => [await run()]).results)[0] as T;
  }

  /** Asks along with others of this kind, that `answer` can answer at once: an answer for each, in their order. */
  async batch<Question, Answer>(
    batchKey: string,
    input: Question,
    runBatch: (inputs: readonly Question[]) => Promise<readonly Answer[]>,
  ): Promise<Answer> {
    const pendingBatch = this.#pendingBatch(batchKey, (inputs) => runBatch(inputs as Question[]));
    const index = pendingBatch.inputs.push(input) - 1;
    return (await pendingBatch.results)[index] as Answer;
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
    // Taken from the module: a test that stops the global timers does not stop its database.
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
