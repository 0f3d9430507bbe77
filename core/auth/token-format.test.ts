import test from 'ava';
import fc from 'fast-check';
import { seededIds } from '../../adapters/fake/seeded-ids.js';
import { scaledRuns, seed } from '../../conformance/property-settings.js';
import { digestOf, formatToken, isWellFormed, makeToken, sameDigest } from './token-format.js';

const settings = { seed, numRuns: scaledRuns(500) };
const prefix = fc.constantFrom('mra' as const, 'mrt' as const);
const token = fc.tuple(prefix, fc.integer()).map(([of, from]) => ({ of, text: makeToken(of, seededIds(from)) }));
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

test('a new token has its prefix, forty characters and a checksum, and is well-formed for that prefix alone', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(token, ({ of, text }) => {
        t.regex(text, /^mr[at]_[0-9A-Za-z]{46}$/);
        return isWellFormed(of, text) && !isWellFormed(of === 'mra' ? 'mrt' : 'mra', text);
      }),
      settings,
    ),
  );
});

test('one wrong, missing, added or swapped character is noticed', (t) => {
  const slip = fc.record({
    at: fc.nat(1_000),
    letter: fc.constantFrom(...base62),
    kind: fc.constantFrom('change', 'drop', 'add', 'swap'),
  });
  t.notThrows(() =>
    fc.assert(
      fc.property(token, slip, ({ of, text }, { at, letter, kind }) => {
        const place = 4 + (at % (text.length - 5));
        const [before, one, other, after] = [
          text.slice(0, place),
          text.charAt(place),
          text.charAt(place + 1),
          text.slice(place + 2),
        ];
        const changed = {
          change: before + letter + other + after,
          drop: before + other + after,
          add: before + letter + one + other + after,
          swap: before + other + one + after,
        }[kind];
        return changed === text || !isWellFormed(of, changed as string);
      }),
      settings,
    ),
  );
});

test('no other text is well-formed', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(prefix, fc.string(), (of, text) => !isWellFormed(of, text)),
      settings,
    ),
  );
  t.false(isWellFormed('mra', formatToken('mra', 'x'.repeat(29))), 'too short for a secret');
  t.true(isWellFormed('mra', formatToken('mra', 'x'.repeat(30))));
  t.false(isWellFormed('mra', `${formatToken('mra', 'x'.repeat(40))}\n`));
});

test('digests are SHA-256 in hexadecimal, and equal only for equal texts', (t) => {
  t.is(digestOf('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  t.notThrows(() =>
    fc.assert(
      fc.property(
        fc.string(),
        fc.string(),
        (one, other) => sameDigest(digestOf(one), digestOf(other)) === (one === other),
      ),
      settings,
    ),
  );
  t.false(sameDigest('abc', 'abcd'));
});
