import type { Batch, Committed } from '../../../core/ports/index.js';
import { type CommitContext, CommitStatement } from './commit-statement.js';
import type { Connections } from './connections.js';
import { violatedConstraint } from './errors.js';
import { SqlCache } from './sql-fragments.js';
import type { QueryStatements } from './statements.js';
import type { UniqueKeys } from './unique-keys.js';

/** Carries batches out, each in one trip to the server. */
export class BatchCommitter {
  readonly #connections: Connections;
  readonly #uniqueKeys: UniqueKeys;
  readonly #context: CommitContext;

  constructor(connections: Connections, statements: QueryStatements, prefix: string, uniqueKeys: UniqueKeys) {
    this.#connections = connections;
    this.#uniqueKeys = uniqueKeys;
    this.#context = { prefix, statements, sqlCache: new SqlCache() };
  }

  async commit(batch: Batch): Promise<Committed> {
    if (Object.values(batch).every(({ length }) => length === 0)) return { done: true };
    for (let attempt = 1; ; attempt++) {
      const commit = new CommitStatement(batch, this.#context, attempt > 1);
      try {
        const results = await this.#connections.write((slot) => commit.statements(slot));
        return commit.outcome(results.at(-1) ?? []);
      } catch (error) {
        const violated = violatedConstraint(error);
        if (violated === undefined) throw error;
        const duplicate = this.#uniqueKeys.byIndex(violated);
        // The first attempt updates in place: a key may be taken by a record that is about to give it up.
        if (duplicate !== undefined && (attempt > 1 || batch.replace.length === 0)) return { duplicate };
        // The id of an insertion exists: the next attempt looks for it.
        if (attempt > 5) throw error;
      }
    }
  }
}
