import test from 'ava';
import fc from 'fast-check';
import { scaledRuns, seed } from '../../conformance/property-settings.js';
import { isApiError } from '../errors/index.js';
import type { FoundPage } from '../ports/index.js';
import { countUpTo, linkHeader, offsetOf, type Page, readPage } from './pagination.js';
import { parseQueryString, type QueryPair } from './query-string.js';

const settings = { seed, numRuns: scaledRuns(2_000) };
const address = 'https://api.ci.test/v2/builds';

const pairsOf = (query: string): QueryPair[] => {
  const pairs = parseQueryString(query);
  if (isApiError(pairs)) throw pairs;
  return pairs;
};

/** What a storage finds on a page of a list of that length. */
function found(length: number, page: Page): FoundPage {
  const offset = offsetOf(page);
  const stamps = Math.max(0, Math.min(page.size, length - offset));
  return {
    stamps: Array.from({ length: stamps }, (_, index) => ({ id: String(index), version: 1 })),
    more: offset + stamps < length,
    ...(length <= countUpTo ? { total: length } : {}),
  };
}

interface Relation {
  readonly rel: string;
  readonly page: number;
  readonly size: number;
  readonly others: [string, string][];
}

/** Reads a `Link` header by the letter of decisions 3. */
function relations(header: string | undefined): Relation[] {
  return (header?.split(', ') ?? []).map((part) => {
    const match = /^<([^<>]+)>; rel="(first|prev|next|last)"$/.exec(part);
    if (!match) throw new Error(`not a link: ${part}`);
    const [, link = '', rel = ''] = match;
    const url = new URL(link);
    if (`${url.origin}${url.pathname}` !== address) throw new Error(`not an absolute address of the list: ${link}`);
    const all = [...url.searchParams];
    return {
      rel,
      page: Number(url.searchParams.get('page')),
      size: Number(url.searchParams.get('per_page')),
      others: all.filter(([name]) => name !== 'page' && name !== 'per_page'),
    };
  });
}

const page = fc.record({ number: fc.integer({ min: 1, max: 600 }), size: fc.integer({ min: 1, max: 100 }) });
const length = fc.oneof(fc.nat(300), fc.integer({ min: 9_990, max: 10_010 }));

test('relations stand in their order, where they apply, and lead where they say', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(page, length, (at, count) => {
        const got = relations(linkHeader(at, found(count, at), address, []));
        const last = Math.max(1, Math.ceil(count / at.size));
        const known = count <= countUpTo;
        const wanted = [
          ...(at.number > 1 ? [['first', 1]] : []),
          ...(at.number > 1 ? [['prev', known ? Math.min(at.number - 1, last) : at.number - 1]] : []),
          ...(at.number < last ? [['next', at.number + 1]] : []),
          ...(at.number !== last && known ? [['last', last]] : []),
        ];
        t.deepEqual(
          got.map(({ rel, page: to }) => [rel, to]),
          wanted,
        );
        t.true(got.every(({ size }) => size === at.size));
      }),
      settings,
    ),
  );
});

test('there is no header when everything fits on one page', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.nat(100), (size, count) => {
        const at = { number: 1, size };
        return (linkHeader(at, found(count, at), address, []) === undefined) === count <= size;
      }),
      settings,
    ),
  );
});

test('links repeat the other parameters of the request, and can be followed', (t) => {
  const text = fc.string({ unit: 'grapheme', maxLength: 6 });
  const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6 }).filter((one) => !/[[\]]/.test(one));
  const parameter = fc.oneof(
    name.filter((one) => one !== 'page' && one !== 'per_page'),
    fc.tuple(name, text).map(([one, key]) => `${one}[${key}]`),
  );
  t.notThrows(() =>
    fc.assert(
      fc.property(fc.array(fc.tuple(parameter, text), { maxLength: 5 }), page, (others, at) => {
        const query = new URLSearchParams([...others, ['page', String(at.number)], ['per_page', String(at.size)]]);
        const pairs = pairsOf(query.toString());
        t.deepEqual(readPage(pairs), at);
        const header = linkHeader(at, { stamps: [], more: true }, address, pairs);
        for (const relation of relations(header)) t.deepEqual(relation.others, others);
        for (const link of header?.match(/(?<=\?)[^>]+/g) ?? []) {
          t.deepEqual((readPage(pairsOf(link)) as Page).size, at.size);
        }
      }),
      settings,
    ),
  );
});

test('page and per_page are whole numbers or refused; what is read is in its bounds', (t) => {
  const given = fc.oneof(
    fc.nat().map(String),
    fc.bigInt({ min: 0n }).map(String),
    fc.string({ maxLength: 6 }),
    fc.constantFrom('-1', '1.0', '1e3', '0x1', '٣', ''),
  );
  t.notThrows(() =>
    fc.assert(
      fc.property(given, fc.constantFrom('page', 'per_page'), (text, name) => {
        const read = readPage([{ name, key: undefined, value: text }]);
        const number = /^[0-9]+$/.test(text) ? BigInt(text) : -1n;
        const isGood = number >= (name === 'page' ? 0n : 1n) && number < 2n ** 53n;
        if (isApiError(read))
          return !isGood && read.output.statusCode === 400 && read.message.startsWith(`${name} must be`);
        const offset = offsetOf(read);
        return (
          isGood &&
          read.number >= 1 &&
          read.size >= 1 &&
          read.size <= 100 &&
          Number.isSafeInteger(offset) &&
          offset >= 0
        );
      }),
      settings,
    ),
  );
});

const examples: Readonly<Record<string, Page | undefined>> = {
  '': { number: 1, size: 30 },
  'page=0': { number: 1, size: 30 },
  'page=007&per_page=101': { number: 7, size: 100 },
  'per_page=0': undefined,
  'page=1&page=1': undefined,
  'page[]=1': undefined,
  'per_page=9007199254740991': { number: 1, size: 100 },
  'per_page=9007199254740992': undefined,
};

for (const [query, wanted] of Object.entries(examples)) {
  test(`${query || 'nothing'} is ${JSON.stringify(wanted) ?? 'refused'}`, (t) => {
    const read = readPage(pairsOf(query));
    if (wanted) t.deepEqual(read, wanted);
    else t.is(isApiError(read) && read.output.statusCode, 400);
  });
}

test('the header, to the letter', (t) => {
  const at = { number: 2, size: 10 };
  t.is(
    linkHeader(at, found(35, at), address, pairsOf('state[]=passed&page=2&q=a+b&per_page=10')),
    ['first" 1', 'prev" 1', 'next" 3', 'last" 4']
      .map((entry) => entry.split('" '))
      .map(([rel, to]) => `<${address}?state%5B%5D=passed&q=a%20b&page=${to}&per_page=10>; rel="${rel}"`)
      .join(', '),
  );
});
