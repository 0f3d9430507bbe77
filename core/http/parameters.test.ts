import test from 'ava';
import fc from 'fast-check';
import { scaledRuns, seed } from '../../conformance/property-settings.js';
import { isApiError } from '../errors/index.js';
import { isUuid } from '../schema/uuid.js';
import {
  booleanParameter,
  enumsParameter,
  mapParameter,
  type Parameter,
  readParameters,
  stringParameter,
  stringsParameter,
  timestampParameter,
  uuidParameter,
} from './parameters.js';
import { parseQueryString } from './query-string.js';

const settings = { seed, numRuns: scaledRuns(1_000) };

const parameters = {
  name: stringParameter(''),
  branch: stringsParameter(''),
  creator: uuidParameter(''),
  flag: booleanParameter(''),
  from: timestampParameter(''),
  state: enumsParameter(['passed', 'failed'], ''),
  meta_data: mapParameter(''),
};

/** What a query string is read as: values, or the message of the refusal. */
function read(query: string): unknown {
  const pairs = parseQueryString(query);
  if (isApiError(pairs)) throw pairs;
  const values = readParameters(parameters, pairs);
  if (!isApiError(values)) return values;
  return values.output.statusCode === 400 ? values.message : values;
}

const value = fc.string({ unit: 'grapheme', maxLength: 6 }).filter((text) => !text.includes('\0'));
const escaped = encodeURIComponent;

test('values of an array merge in order, in whatever notation each of them comes', (t) => {
  const notation = fc.constantFrom('branch', 'branch[]', 'branch%5B%5D', 'branch[0]');
  t.notThrows(() =>
    fc.assert(
      fc.property(fc.array(fc.tuple(notation, value), { minLength: 1, maxLength: 20 }), (given) => {
        const query = given.map(([name, text]) => `${name}=${escaped(text)}`).join('&');
        t.deepEqual(read(query), { branch: given.map(([, text]) => text) });
      }),
      settings,
    ),
  );
});

test('a map takes every key, and a key that comes with two values is refused', (t) => {
  const key = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 }).filter((text) => !/[\0]/.test(text));
  t.notThrows(() =>
    fc.assert(
      fc.property(fc.array(fc.tuple(key, value), { minLength: 1, maxLength: 8 }), (given) => {
        const query = given.map(([name, text]) => `meta_data[${escaped(name)}]=${escaped(text)}`).join('&');
        const wanted = new Map(given);
        const isClear = given.every(([name, text]) => wanted.get(name) === text);
        const got = read(query);
        if (isClear) t.deepEqual(got, { meta_data: Object.fromEntries(wanted) });
        else t.regex(String(got), /^meta_data\[.*\] must be given once$/s);
      }),
      settings,
    ),
  );
});

test('only the six words of decisions 1 are booleans', (t) => {
  const words = { true: true, True: true, 1: true, false: false, False: false, 0: false };
  const texts = fc.oneof(fc.constantFrom(...Object.keys(words), 'TRUE', 'yes', '', ' 1', '01', 'on', 'null'), value);
  t.notThrows(() =>
    fc.assert(
      fc.property(texts, (text) => {
        const known = Object.hasOwn(words, text);
        t.deepEqual(
          read(`flag=${escaped(text)}`),
          known ? { flag: words[text as never] } : 'flag must be true or false',
        );
      }),
      settings,
    ),
  );
});

test('a UUID is taken in any case and read in lower case; nothing else is one', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(fc.uuid(), fc.infiniteStream(fc.boolean()), fc.nat(35), (uuid, flips, place) => {
        const mixed = [...uuid].map((letter) => (flips.next().value ? letter.toUpperCase() : letter)).join('');
        t.deepEqual(read(`creator=${mixed}`), { creator: uuid });
        t.false(isUuid(uuid.slice(0, place) + uuid.slice(place + 1)));
        t.is(read(`creator=${uuid.slice(0, place)}g${uuid.slice(place + 1)}`), 'creator must be a UUID');
      }),
      settings,
    ),
  );
});

const hundred = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => name.replace('#', String(index))).join('&');

const examples: Readonly<Record<string, unknown>> = {
  '': {},
  'unknown=1&other[]=2': {},
  'name=': { name: '' },
  name: { name: '' },
  'name=a&name=b': 'name must be given as one plain value',
  'name[]=a': 'name must be given as one plain value',
  'name=a%00': 'name must not have characters that cannot be stored',
  'branch=%00': 'branch must not have characters that cannot be stored',
  'meta_data[a%00]=1': 'meta_data must not have characters that cannot be stored',
  'branch[x]=a': 'branch must be given as branch=value or branch[]=value',
  'state=passed&state[]=failed&state=passed': { state: ['passed', 'failed', 'passed'] },
  'state=': 'state must be one of passed, failed',
  'state=toString': 'state must be one of passed, failed',
  'state=passed,failed': 'state must be one of passed, failed',
  'creator=': 'creator must be a UUID',
  'from=2026-01-01': { from: '2026-01-01T00:00:00.000Z' },
  'from=2026-02-30': 'from must be an ISO 8601 date or date-time',
  'from=2026-01-01T10:00:00%2B01:00': { from: '2026-01-01T09:00:00.000Z' },
  'from=2026-01-01T10:00:00+01:00': 'from must be an ISO 8601 date or date-time',
  'meta_data=1': 'meta_data must be given as meta_data[key]=value',
  'meta_data[]=1': 'meta_data must be given as meta_data[key]=value',
  'meta_data[__proto__]=1': { meta_data: JSON.parse('{"__proto__":"1"}') },
  [hundred('branch[]=b#', 101)]: 'branch must not have more than 100 values',
  [hundred('meta_data[k#]=b', 101)]: 'meta_data must not have more than 100 values',
  'flag=x&name[]=y': 'name must be given as one plain value',
};

for (const [query, wanted] of Object.entries(examples)) {
  test(`${query.slice(0, 50) || 'nothing'} is ${JSON.stringify(wanted)}`, (t) => t.deepEqual(read(query), wanted));
}

test('a hundred values are not too many', (t) => {
  t.is((read(hundred('branch[]=b#', 100)) as { branch: string[] }).branch.length, 100);
});

test('whatever is sent, every parameter is read, is absent, or is refused by its name', (t) => {
  const names = Object.keys(parameters) as (keyof typeof parameters)[];
  const part = fc
    .tuple(
      fc.constantFrom(...names),
      fc.constantFrom('', '[]', '[a]', '[', ']', '[[]]'),
      fc.string({ unit: 'binary', maxLength: 8 }),
    )
    .map(([name, key, text]) => `${name}${key}=${escaped(text.toWellFormed())}`);
  t.notThrows(() =>
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
        const got = read(parts.join('&'));
        return typeof got === 'string' ? names.some((name) => got.startsWith(name)) : !isApiError(got);
      }),
      settings,
    ),
  );
});

test('a parameter that was not sent is not there', (t) => {
  for (const parameter of Object.values(parameters) as Parameter[]) t.is(parameter.read('x', []), undefined);
});
