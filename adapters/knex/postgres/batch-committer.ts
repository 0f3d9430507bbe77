import type { Batch, Committed } from '../../../core/ports/index.js';
import type { Connections } from './connections.js';
import { raisedIndex, violatedConstraint } from './errors.js';
import { MultiStatementCommit } from './multi-statement-commit.js';
import type { Statement } from './session.js';
import { SingleStatementCommit } from './single-statement-commit.js';
import { SqlCache } from './sql-fragments.js';
import type { QueryStatements } from './statements.js';
import type { UniqueKeys } from './unique-keys.js';

/** A way to carry out a batch. */
interface CommitPlan {
  statements(slot: number): readonly Statement[];
  /** What it means when a number is raised. */
  readonly conflicts: readonly Committed[];
}

/** Carries batches out, each in one trip: as one statement where that can be, or as a transaction that is sent with its end. */
export class BatchCommitter {
  readonly #connections: Connections;
  readonly #statements: QueryStatements;
  readonly #uniqueKeys: UniqueKeys;
  readonly #prefix: string;
  readonly #sqlCache = new SqlCache();

  constructor(connections: Connections, statements: QueryStatements, prefix: string, uniqueKeys: UniqueKeys) {
    this.#connections = connections;
    this.#statements = statements;
    this.#uniqueKeys = uniqueKeys;
    this.#prefix = prefix;
  }

  async commit(batch: Batch): Promise<Committed> {
    if (Object.values(batch).every(({ length }) => length === 0)) return { done: true };
    for (let attempt = 1; ; attempt++) {
      const plan = attempt === 1 ? this.#planFast(batch) : this.#planDeleteThenInsert(batch);
      try {
        await this.#connections.write((slot) => plan.statements(slot));
        return { done: true };
      } catch (error) {
        const raised = raisedIndex(error);
        const conflict = raised === undefined ? undefined : plan.conflicts[raised];
        if (conflict !== undefined) return conflict;
        const violated = violatedConstraint(error);
        if (violated === undefined) throw error;
        const duplicate = this.#uniqueKeys.byIndex(violated);
        // In place, a key may be taken by a record that is about to give it up; only the second way is sure.
        if (duplicate !== undefined && (attempt > 1 || batch.replace.length === 0)) return { duplicate };
        // An id that came to be in the meantime is seen the next time.
        if (attempt > 5) throw error;
      }
    }
  }

  #planFast(batch: Batch): CommitPlan {
    if (SingleStatementCommit.supports(batch)) {
      const plan = new SingleStatementCommit(batch, this.#prefix, this.#sqlCache);
      return { conflicts: plan.conflicts, statements: (slot) => [plan.statement(slot)] };
    }
    const plan = this.#multiStatement(batch);
    return { conflicts: plan.conflicts, statements: (slot) => plan.updateInPlace(slot) };
  }

  #planDeleteThenInsert(batch: Batch): CommitPlan {
    const plan = this.#multiStatement(batch);
    return { conflicts: plan.conflicts, statements: (slot) => plan.deleteThenInsert(slot) };
  }

  #multiStatement(batch: Batch): MultiStatementCommit {
    return new MultiStatementCommit(batch, this.#prefix, this.#sqlCache, this.#statements);
  }
}
