/** A row of any entity, as the storage holds it. */
export type StoredRow = Readonly<Record<string, unknown>> & { readonly id: string; readonly version: number };

/**
 * The place of a record in all indexes. It stays the same object from insertion to removal while its row is replaced, so an
 * index must change only when a column that it depends on changes.
 */
export interface Slot {
  row: StoredRow;
}

/** Freezes a value deeply, so that a caller that modifies a stored row fails at once. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}
