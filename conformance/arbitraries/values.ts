import fc from 'fast-check';
import type { Column } from '../../core/model/index.js';
import { idOf } from './ids.js';
import { anyText } from './texts.js';

/** Generated references name one of this many ids. Records with these ids need not exist. */
export const referencedIdCount = 6;

const times = [
  '1970-01-01T00:00:00.000Z',
  '2026-01-31T09:30:00.000Z',
  '2026-01-31T09:30:00.001Z',
  '2026-02-28T23:59:59.999Z',
  '9999-12-31T23:59:59.999Z',
];

const integers = [0, 1, 2, -1, 2 ** 31, -(2 ** 31) - 1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];

const entryKeys = ['a', 'A', '', 'release', "it's", '10', '2', '\u{1f600}', 'constructor'];

/** Numbers that survive JSON. JSON has no negative zero. */
const number = fc
  .oneof(fc.constantFrom(0.1, 1e21, 5e-324, -1.5, ...integers), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .map((value) => (Object.is(value, -0) ? 0 : value));

const entries = fc.dictionary(fc.constantFrom(...entryKeys), fc.constantFrom('', 'a', 'A', '1', 'é'), {
  maxKeys: 5,
  noNullPrototype: true,
});

const { anyJson } = fc.letrec<{ anyJson: unknown }>((tie) => ({
  anyJson: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.oneof(fc.boolean(), number, anyText()),
    fc.array(tie('anyJson'), { maxLength: 4 }),
    fc.array(fc.tuple(anyText(), fc.oneof(fc.constant(null), tie('anyJson'))), { maxLength: 4 }).map(objectOf),
  ),
}));

/** A value of a column. Most values come from a small set, so that rows share values and filters match. */
export function valueFor({ kind, nullable }: Column): fc.Arbitrary<unknown> {
  const value = ofKind[kind];
  return nullable ? fc.option(value, { freq: 3 }) : value;
}

const ofKind: Readonly<Record<Column['kind'], fc.Arbitrary<unknown>>> = {
  id: fc.integer({ min: 1, max: referencedIdCount }).map(idOf),
  text: anyText(),
  integer: fc.constantFrom(...integers),
  flag: fc.boolean(),
  time: fc.constantFrom(...times),
  json: fc.oneof({ weight: 2, arbitrary: entries }, { weight: 1, arbitrary: anyJson }),
};

/** An object with its keys in the order of the list. Without `__proto__`: requests with that key are refused (decisions 1). */
function objectOf(list: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(list.filter(([key]) => key !== '__proto__'));
}
