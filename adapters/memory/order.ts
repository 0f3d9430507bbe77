import type { ColumnKind, Direction, Entity } from '../../core/model/index.js';
import type { StoredRow } from './record.js';

export type Comparison = (a: StoredRow, b: StoredRow) => number;

/**
 * Text by code point, as databases that compare UTF-8 bytes do. JavaScript's `<` goes by UTF-16 code units, which puts
 * U+FF5E above U+1F600.
 */
export function compareText(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return codePointRank(left) - codePointRank(right);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above U+FFFF, so they come after every other code unit. */
const codePointRank = (unit: number) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** Null comes before every value. */
export function compareValues(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  if (typeof a === 'string') return compareText(a, b as string);
  return Number(a) - Number(b);
}

/** For ids and times, which are ASCII: there the fast comparison of JavaScript gives the same order. */
const compareAscii = (a: unknown, b: unknown): number => {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  return (a as string) < (b as string) ? -1 : 1;
};

const comparisonByKind: Readonly<Record<ColumnKind, (a: unknown, b: unknown) => number>> = {
  id: compareAscii,
  time: compareAscii,
  text: compareValues,
  integer: compareValues,
  flag: compareValues,
  json: compareValues,
};

/** The comparison of two rows by a declared order. */
export function compareBy(entity: Entity, order: readonly (readonly [string, Direction])[]): Comparison {
  const steps = order.map(([column, direction]) => ({
    column,
    compare: comparisonByKind[entity.columns[column]?.kind ?? 'text'],
    sign: direction === 'asc' ? 1 : -1,
  }));
  return (a, b) => {
    for (const { column, compare, sign } of steps) {
      const result = compare(a[column], b[column]);
      if (result !== 0) return result * sign;
    }
    return 0;
  };
}
