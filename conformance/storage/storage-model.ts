import { type EntityName, entities, queryDefinition } from '../../core/model/index.js';
import type { Batch, Committed } from '../../core/ports/index.js';
import type { AnyRow } from '../arbitraries/rows.js';
import { expectedRows } from './reference-query.js';

/** A model of a storage: rows by entity and id. */
export class StorageModel {
  readonly #rows = new Map<string, { readonly entity: EntityName; readonly row: AnyRow }>();

  rows(entity: EntityName): AnyRow[] {
    return [...this.#rows.values()].filter((record) => record.entity === entity).map(({ row }) => row);
  }

  /** All reasons to refuse the batch. If there are none, applies the batch. */
  commit(batch: Batch): Committed[] {
    const reasons = [...this.#conflicts(batch)];
    const before = new Map(this.#rows);
    for (const { entity, id } of batch.remove) this.#rows.delete(keyOf(entity, id));
    for (const { entity, row } of [...batch.replace, ...batch.insert])
      this.#rows.set(keyOf(entity, row.id), { entity, row });
    for (const { entity, id } of batch.touch) {
      const key = keyOf(entity, id);
      const record = this.#rows.get(key);
      if (record !== undefined)
        this.#rows.set(key, { entity, row: { ...record.row, version: record.row.version + 1 } });
    }
    reasons.push(...this.#duplicates());
    if (reasons.length > 0) {
      this.#rows.clear();
      for (const [key, record] of before) this.#rows.set(key, record);
    }
    return reasons;
  }

  *#conflicts(batch: Batch): Generator<Committed> {
    const versionOf = (entity: EntityName, id: string) => this.#rows.get(keyOf(entity, id))?.row.version;
    for (const expectation of batch.expect) {
      if ('none' in expectation) {
        const all = [...this.#rows.values()];
        const { none, args } = expectation;
        const { entity } = queryDefinition(none);
        const rows = all.filter((record) => record.entity === entity).map(({ row }) => row);
        if (expectedRows(none, args, rows).length > 0) yield { conflict: { none } };
      } else if (versionOf(expectation.entity, expectation.id) !== expectation.version) yield conflict(expectation);
    }
    for (const removed of batch.remove) {
      if (versionOf(removed.entity, removed.id) !== removed.version) yield conflict(removed);
    }
    for (const { entity, row } of batch.replace) {
      if (versionOf(entity, row.id) !== row.version - 1) yield conflict({ entity, id: row.id });
    }
    for (const touched of batch.touch) {
      if (versionOf(touched.entity, touched.id) === undefined) yield conflict(touched);
    }
    for (const { entity, row } of batch.insert) {
      if (versionOf(entity, row.id) !== undefined) yield conflict({ entity, id: row.id });
    }
  }

  *#duplicates(): Generator<Committed> {
    const uniqueValues = new Set<string>();
    for (const { entity, row } of this.#rows.values()) {
      for (const [key, columns] of Object.entries(entities[entity].unique)) {
        const values = columns.map((column) => (row as AnyRow)[column]);
        const uniqueValue = JSON.stringify([entity, key, values]);
        if (values.includes(null)) continue;
        if (uniqueValues.has(uniqueValue)) yield { duplicate: { entity, key } };
        uniqueValues.add(uniqueValue);
      }
    }
  }
}

const keyOf = (entity: EntityName, id: string) => `${entity} ${id}`;
const conflict = ({ entity, id }: { entity: EntityName; id: string }): Committed => ({ conflict: { entity, id } });
