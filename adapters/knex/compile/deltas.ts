import type { EntityName } from '../../../core/model/index.js';
import { type Counted, countedOf } from '../schema/tallies.js';

export interface Delta extends Counted {
  readonly count: number;
}

/** By how much a batch changes the tallies. What comes and goes in equal numbers does not show. */
export class Deltas {
  readonly #sums = new Map<string, Delta>();

  add(entity: EntityName, row: Readonly<Record<string, unknown>>, count: 1 | -1): void {
    for (const counted of countedOf(entity, row)) {
      const key = `${counted.owner} ${counted.tally} ${counted.value}`;
      this.#sums.set(key, { ...counted, count: (this.#sums.get(key)?.count ?? 0) + count });
    }
  }

  /** In one order everywhere, so that two batches that change the same counters cannot wait for each other. */
  get changes(): Delta[] {
    return [...this.#sums]
      .filter(([, { count }]) => count !== 0)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, delta]) => delta);
  }
}
