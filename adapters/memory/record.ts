/** A row as the storage keeps it, whatever its entity. */
export type StoredRow = Readonly<Record<string, unknown>> & { readonly id: string; readonly version: number };

/**
 * The place of a record. It stays the same object from insertion to removal while rows come and go in it, so that an
 * index needs to be touched only when a column it is ordered by has changed.
 */
export interface Slot {
  row: StoredRow;
}

/** Freezes a value and all that hangs on it, so that whoever changes a stored row is told at once. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}
