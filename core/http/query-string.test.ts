import test from 'ava';
import fc from 'fast-check';
import { scaledRuns, seed } from '../../conformance/property-settings.js';
import { isApiError } from '../errors/index.js';
import { decodePercent, formatPair, parseQueryString, type QueryPair } from './query-string.js';

const settings = { seed, numRuns: scaledRuns(2_000) };
const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).filter((s) => !/[[\]]/.test(s));
const pair: fc.Arbitrary<QueryPair> = fc.record({
  name,
  key: fc.option(text, { nil: undefined }),
  value: text,
});

const read = (query: string): readonly QueryPair[] => {
  const pairs = parseQueryString(query);
  if (isApiError(pairs)) throw pairs;
  return pairs;
};

test('pairs survive being written into a URL and read back', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(fc.array(pair), (pairs) => {
        t.deepEqual(read(pairs.map(formatPair).join('&')), pairs);
      }),
      settings,
    ),
  );
});

test('the output of URLSearchParams is parsed to the same pairs', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(fc.array(fc.tuple(name, text)), (entries) => {
        const wanted = entries.map(([key, value]) => ({ name: key, key: undefined, value }));
        t.deepEqual(read(new URLSearchParams(entries).toString()), wanted);
      }),
      settings,
    ),
  );
});

test('any query is read or refused, and what is read can be written again', (t) => {
  const queries = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[a-c%&=+[\]0-9]{0,20}$/));
  t.notThrows(() =>
    fc.assert(
      fc.property(queries, (query) => {
        const pairs = parseQueryString(query);
        if (isApiError(pairs)) return t.is(pairs.output.statusCode, 400);
        return t.deepEqual(read(pairs.map(formatPair).join('&')).length, pairs.length);
      }),
      settings,
    ),
  );
});

test('unescaping gives well-formed text or nothing', (t) => {
  const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^(%[0-9a-fA-F]{2}|[a%])*$/));
  t.notThrows(() =>
    fc.assert(
      fc.property(texts, (one) => decodePercent(one)?.isWellFormed() ?? true),
      settings,
    ),
  );
  t.is(decodePercent('\ud800'), undefined);
});

const examples: Readonly<Record<string, readonly QueryPair[] | undefined>> = {
  '': [],
  '&&': [],
  a: [{ name: 'a', key: undefined, value: '' }],
  'a=b=c': [{ name: 'a', key: undefined, value: 'b=c' }],
  'a+b=c+d': [{ name: 'a b', key: undefined, value: 'c d' }],
  'a%2Bb=%20': [{ name: 'a+b', key: undefined, value: ' ' }],
  'state[]=x&state%5B%5D=y&state=z': [
    { name: 'state', key: '', value: 'x' },
    { name: 'state', key: '', value: 'y' },
    { name: 'state', key: undefined, value: 'z' },
  ],
  'meta_data[a[b]]=1': [{ name: 'meta_data', key: 'a[b]', value: '1' }],
  'a]=1': [{ name: 'a]', key: undefined, value: '1' }],
  '[a]=1': [{ name: '[a]', key: undefined, value: '1' }],
  'a=%': undefined,
  'a=%zz': undefined,
  'a=%ff': undefined,
  '%c3=1': undefined,
};

for (const [query, wanted] of Object.entries(examples)) {
  test(`${JSON.stringify(query)} is ${wanted ? `${wanted.length} pairs` : 'refused'}`, (t) => {
    const pairs = parseQueryString(query);
    if (wanted) t.deepEqual(pairs, wanted as QueryPair[]);
    else t.is(isApiError(pairs) && pairs.output.statusCode, 400);
  });
}
