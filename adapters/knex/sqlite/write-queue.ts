import type { Session } from './session.js';

type Work<T> = (session: Session) => Promise<T>;

/** Statements around a transaction: of its own, or inside one that the host has begun. */
export interface TransactionStatements {
  readonly begin: string;
  readonly commit: string;
  readonly rollback: readonly string[];
}

/** Runs work on the connection that writes, again if the file was locked. */
type RunOnWriter = (
  work: (session: Session, transactionStatements: TransactionStatements) => Promise<void>,
) => Promise<void>;

interface Task {
  readonly work: Work<unknown>;
  readonly shouldCommit: (result: unknown) => boolean;
  /** Called when the outcome is durable. */
  readonly settle: (outcome: Outcome) => void;
}

type Outcome = { readonly result: unknown } | { readonly error: unknown };

/**
 * Queues up what wants to write. Most of the price of a small transaction is to get it onto the disk, so what has gathered
 * while one was under way is carried out in one: each batch is still all or nothing (a savepoint sees to that), sees those
 * before it, and is answered when all of it is durable.
 */
export class WriteQueue {
  readonly #runOnWriter: RunOnWriter;
  readonly #maxGrouped: number;
  readonly #pending: Task[] = [];
  #draining = false;

  constructor(runOnWriter: RunOnWriter, maxGrouped: number) {
    this.#runOnWriter = runOnWriter;
    this.#maxGrouped = maxGrouped;
  }

  /** Carries out the work in a transaction, and keeps what it did if `keep` says so of the result. */
  transaction<T>(work: Work<T>, shouldCommit: (result: T) => boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const settle = (outcome: Outcome) => ('error' in outcome ? reject(outcome.error) : resolve(outcome.result as T));
      this.#pending.push({ work, shouldCommit: shouldCommit as Task['shouldCommit'], settle });
      if (!this.#draining) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#draining = true;
    while (this.#pending.length > 0) await this.#runTransaction(this.#pending.splice(0, this.#maxGrouped));
    this.#draining = false;
  }

  async #runTransaction(tasks: readonly Task[]): Promise<void> {
    let outcomes: Outcome[] = [];
    try {
      await this.#runOnWriter(async (session, transactionStatements) => {
        outcomes = [];
        await session.run(transactionStatements.begin);
        try {
          const [only] = tasks;
          const kept =
            tasks.length === 1 && only !== undefined
              ? await runSingle(session, only, outcomes)
              : await runGrouped(session, tasks, outcomes);
          for (const statement of kept ? [transactionStatements.commit] : transactionStatements.rollback)
            await session.run(statement);
        } catch (error) {
          // The first error is reported; after some errors SQLite has already rolled back.
          for (const statement of transactionStatements.rollback) await session.run(statement).catch(() => undefined);
          throw error;
        }
      });
    } catch (error) {
      if (tasks.length === 1) outcomes = [{ error }];
      else {
        // One of them broke the transaction of all: let each of them find out for itself.
        for (const task of tasks) await this.#runTransaction([task]);
        return;
      }
    }
    for (const [index, task] of tasks.entries()) {
      const outcome = outcomes[index];
      if (outcome !== undefined) task.settle(outcome);
    }
  }
}

async function runSingle(session: Session, { work, shouldCommit }: Task, outcomes: Outcome[]): Promise<boolean> {
  const result = await work(session);
  outcomes.push({ result });
  return shouldCommit(result);
}

async function runGrouped(session: Session, tasks: readonly Task[], outcomes: Outcome[]): Promise<boolean> {
  for (const { work, shouldCommit } of tasks) {
    await session.run('savepoint "millrace_batch"');
    let kept = false;
    try {
      const result = await work(session);
      outcomes.push({ result });
      kept = shouldCommit(result);
    } catch (error) {
      outcomes.push({ error });
    }
    // Savepoints may share a name: the newest is meant. The commit ends them all.
    if (!kept) await session.run('rollback to "millrace_batch"');
  }
  return true;
}
