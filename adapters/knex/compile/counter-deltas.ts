import type { EntityName } from '../../../core/model/index.js';
import { type CounterKey, counterKeysOf } from '../schema/counters.js';

export interface CounterDelta extends CounterKey {
  readonly count: number;
}

/** By how much a batch changes the counters. Changes that cancel each other out are left out. */
export class CounterDeltas {
  readonly #sums = new Map<string, CounterDelta>();

  add(entity: EntityName, row: Readonly<Record<string, unknown>>, count: 1 | -1): void {
    for (const counterKey of counterKeysOf(entity, row)) {
      const key = `${counterKey.owner} ${counterKey.counter} ${counterKey.value}`;
      this.#sums.set(key, { ...counterKey, count: (this.#sums.get(key)?.count ?? 0) + count });
    }
  }

  /** In one order everywhere, so that two batches that change the same counters cannot wait for each other. */
  get changes(): CounterDelta[] {
    return [...this.#sums]
      .filter(([, { count }]) => count !== 0)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, delta]) => delta);
  }
}
