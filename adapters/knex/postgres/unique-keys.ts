import { entities, entityNames } from '../../../core/model/index.js';
import type { UniqueKey } from '../../../core/ports/index.js';
import { physicalName, tableOf } from '../identifiers.js';
import { migrations } from '../migrations/index.js';
import { schemaAfter } from '../migrations/migration.js';

/** The unique keys of the model by the indexes that keep them, which is what the database names when one is violated. */
export class UniqueKeys {
  readonly #keys = new Map<string, UniqueKey>();

  constructor(prefix: string) {
    const indexes = Object.entries(schemaAfter(migrations).indexes).filter(([, { unique }]) => unique);
    for (const entity of entityNames) {
      for (const [key, columns] of Object.entries(entities[entity].unique)) {
        const index = indexes.find(([, { on, columns: c }]) => on === tableOf(entity) && c.join() === columns.join());
        if (index !== undefined) this.#keys.set(physicalName(prefix, index[0]), { entity, key });
      }
    }
  }

  byIndex(index: string): UniqueKey | undefined {
    return this.#keys.get(index);
  }
}
