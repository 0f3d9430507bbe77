import test from 'ava';
import fc from 'fast-check';
import { scaledRuns, seed } from '../../conformance/property-settings.js';
import { branchAllowed, excludesAll } from './branch-filter.js';

const settings = { seed, numRuns: scaledRuns(3_000) };

const branch = fc.oneof(fc.stringMatching(/^[ab/]{0,8}$/), fc.string({ unit: 'grapheme', maxLength: 6 }));
const pattern = fc.oneof(
  fc.stringMatching(/^!?[ab/*]{1,6}$/),
  fc.constantFrom('!', '*', '!*', '!**', 'a.b', '[ab]', '(a|b)', 'a+', '^a$', '\\*'),
);
const filter = fc
  .array(fc.tuple(pattern, fc.constantFrom(' ', '  ', '\t', '\n')), { maxLength: 4 })
  .map((parts) => parts.flat().join(''));

/** The same, by way of a regular expression for each pattern. */
function matchesByRegExp(text: string, name: string): boolean {
  const patterns = text.split(/\s+/).filter((part) => part !== '');
  const regex = (part: string) =>
    new RegExp(`^${part.replace(/[.+?^${}()|[\]\\/]/g, '\\$&').replaceAll('*', '.*')}$`, 's');
  if (patterns.some((part) => part.startsWith('!') && regex(part.slice(1)).test(name))) return false;
  const wanted = patterns.filter((part) => !part.startsWith('!'));
  return wanted.length === 0 || wanted.some((part) => regex(part).test(name));
}

test('a filter matches the same branches as a regular expression', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(filter, branch, (text, name) => branchAllowed(text, name) === matchesByRegExp(text, name)),
      settings,
    ),
  );
});

test('a filter that excludes all lets nothing through; no filter lets everything through', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(filter, branch, (text, name) => {
        t.true(branchAllowed(null, name));
        t.true(branchAllowed('', name));
        return !excludesAll(text) || !branchAllowed(text, name);
      }),
      settings,
    ),
  );
  t.deepEqual(['!*', 'main !**', '!', '*', '', null, '!*a'].map(excludesAll), [
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});

test('no pattern is slow', (t) => {
  t.false(branchAllowed(`${'*a'.repeat(2_000)}b`, 'a'.repeat(60_000)));
});
