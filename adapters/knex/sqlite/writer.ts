import type { Session } from './session.js';

type Work<T> = (session: Session) => Promise<T>;

/** Statements around a transaction: of its own, or inside one that the host has begun. */
export interface Brackets {
  readonly begin: string;
  readonly commit: string;
  readonly rollback: readonly string[];
}

/** Runs work on the connection that writes, again if the file was locked. */
type Lend = (work: (session: Session, brackets: Brackets) => Promise<void>) => Promise<void>;

interface Task {
  readonly work: Work<unknown>;
  readonly keep: (result: unknown) => boolean;
  /** Called when the outcome is durable. */
  readonly settle: (outcome: Outcome) => void;
}

type Outcome = { readonly result: unknown } | { readonly error: unknown };

/**
 * Queues up what wants to write. Most of the price of a small transaction is to get it onto the disk, so what has gathered
 * while one was under way is carried out in one: each batch is still all or nothing (a savepoint sees to that), sees those
 * before it, and is answered when all of it is durable.
 */
export class Writer {
  readonly #lend: Lend;
  readonly #waiting: Task[] = [];
  #busy = false;

  constructor(lend: Lend) {
    this.#lend = lend;
  }

  /** Carries out the work in a transaction, and keeps what it did if `keep` says so of the result. */
  transaction<T>(work: Work<T>, keep: (result: T) => boolean): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const settle = (outcome: Outcome) => ('error' in outcome ? reject(outcome.error) : resolve(outcome.result as T));
      this.#waiting.push({ work, keep: keep as Task['keep'], settle });
      if (!this.#busy) void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    this.#busy = true;
    while (this.#waiting.length > 0) await this.#carryOut(this.#waiting.splice(0, mostTogether));
    this.#busy = false;
  }

  async #carryOut(tasks: readonly Task[]): Promise<void> {
    let outcomes: Outcome[] = [];
    try {
      await this.#lend(async (session, brackets) => {
        outcomes = [];
        await session.run(brackets.begin);
        try {
          const [only] = tasks;
          const kept =
            tasks.length === 1 && only !== undefined
              ? await alone(session, only, outcomes)
              : await together(session, tasks, outcomes);
          for (const statement of kept ? [brackets.commit] : brackets.rollback) await session.run(statement);
        } catch (error) {
          // The first error is the one to tell; SQLite has rolled back by itself after some of them.
          for (const statement of brackets.rollback) await session.run(statement).catch(() => undefined);
          throw error;
        }
      });
    } catch (error) {
      if (tasks.length === 1) outcomes = [{ error }];
      else {
        // One of them broke the transaction of all: let each of them find out for itself.
        for (const task of tasks) await this.#carryOut([task]);
        return;
      }
    }
    for (const [place, task] of tasks.entries()) {
      const outcome = outcomes[place];
      if (outcome !== undefined) task.settle(outcome);
    }
  }
}

/** More would keep the others waiting, in this process and in others. */
const mostTogether = 16;

async function alone(session: Session, { work, keep }: Task, outcomes: Outcome[]): Promise<boolean> {
  const result = await work(session);
  outcomes.push({ result });
  return keep(result);
}

async function together(session: Session, tasks: readonly Task[], outcomes: Outcome[]): Promise<boolean> {
  for (const { work, keep } of tasks) {
    await session.run('savepoint "millrace_batch"');
    let kept = false;
    try {
      const result = await work(session);
      outcomes.push({ result });
      kept = keep(result);
    } catch (error) {
      outcomes.push({ error });
    }
    // Savepoints may share a name: the newest is meant. The commit ends them all.
    if (!kept) await session.run('rollback to "millrace_batch"');
  }
  return true;
}
