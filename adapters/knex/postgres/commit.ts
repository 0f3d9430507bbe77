import type { Batch, Committed } from '../../../core/ports/index.js';
import { AtOnce } from './at-once.js';
import type { Connections } from './connections.js';
import { raisedBy, violatedUnique } from './errors.js';
import { Texts } from './pieces.js';
import type { Statement } from './session.js';
import type { Statements } from './statements.js';
import { StepByStep } from './step-by-step.js';
import type { UniqueKeys } from './unique-keys.js';

/** A way to carry out a batch. */
interface Way {
  statements(slot: number): readonly Statement[];
  /** What it means when a number is raised. */
  readonly refusals: readonly Committed[];
}

/** Carries batches out, each in one trip: as one statement where that can be, or as a transaction that is sent with its end. */
export class Commits {
  readonly #connections: Connections;
  readonly #statements: Statements;
  readonly #keys: UniqueKeys;
  readonly #prefix: string;
  readonly #texts = new Texts();

  constructor(connections: Connections, statements: Statements, prefix: string, keys: UniqueKeys) {
    this.#connections = connections;
    this.#statements = statements;
    this.#keys = keys;
    this.#prefix = prefix;
  }

  async commit(batch: Batch): Promise<Committed> {
    if (Object.values(batch).every(({ length }) => length === 0)) return { done: true };
    for (let attempt = 1; ; attempt++) {
      const way = attempt === 1 ? this.#cheap(batch) : this.#sure(batch);
      try {
        await this.#connections.writing((slot) => way.statements(slot));
        return { done: true };
      } catch (error) {
        const raised = raisedBy(error);
        const refused = raised === undefined ? undefined : way.refusals[raised];
        if (refused !== undefined) return refused;
        const violated = violatedUnique(error);
        if (violated === undefined) throw error;
        const duplicate = this.#keys.named(violated);
        // In place, a key may be taken by a record that is about to give it up; only the second way is sure.
        if (duplicate !== undefined && (attempt > 1 || batch.replace.length === 0)) return { duplicate };
        // An id that came to be in the meantime is seen the next time.
        if (attempt > 5) throw error;
      }
    }
  }

  #cheap(batch: Batch): Way {
    if (AtOnce.suits(batch)) {
      const way = new AtOnce(batch, this.#prefix, this.#texts);
      return { refusals: way.refusals, statements: (slot) => [way.statement(slot)] };
    }
    const way = this.#stepByStep(batch);
    return { refusals: way.refusals, statements: (slot) => way.inPlace(slot) };
  }

  #sure(batch: Batch): Way {
    const way = this.#stepByStep(batch);
    return { refusals: way.refusals, statements: (slot) => way.takenOutFirst(slot) };
  }

  #stepByStep(batch: Batch): StepByStep {
    return new StepByStep(batch, this.#prefix, this.#texts, this.#statements);
  }
}
