import test from 'ava';
import fc from 'fast-check';
import { scaledRuns, seed } from '../../conformance/property-settings.js';
import { NewBuild } from '../operations/builds/create.js';
import {
  array,
  boolean,
  enumeration,
  integer,
  looseObject,
  nullable,
  optional,
  type Schema,
  string,
} from './schema.js';
import { humanize, isStorable, type Problem, validate } from './validation.js';

const settings = { seed, numRuns: scaledRuns(500) };

const problemsOf = async (schema: Schema, value: object): Promise<readonly Problem[]> => {
  const read = await validate(schema, value as Readonly<Record<string, unknown>>);
  return 'problems' in read ? read.problems : [];
};
const codes = async (value: object) => (await problemsOf(NewBuild, value)).map(({ field, code }) => [field, code]);

/** For every field of a build's body: values that are right, and values that are wrong in a known way. */
const deep = 'x'.repeat(65_536);
const many = Object.fromEntries(Array.from({ length: 257 }, (_, index) => [`k${index}`, 'v']));
const wrong: Readonly<Record<string, readonly (readonly [unknown, Problem['code']])[]>> = {
  commit: [
    [undefined, 'missing'],
    [null, 'missing'],
    ['', 'missing'],
    [7, 'invalid'],
    ['c'.repeat(256), 'too_long'],
  ],
  branch: [
    [undefined, 'missing'],
    [['main'], 'invalid'],
    ['b'.repeat(256), 'too_long'],
    ['a\0', 'invalid'],
  ],
  author: [
    ['me', 'invalid'],
    [[], 'invalid'],
    [{ name: 1 }, 'invalid'],
    [{ name: 'me' }, 'invalid'],
    [{ email: 'e' }, 'invalid'],
  ],
  clean_checkout: [
    ['true', 'invalid'],
    [1, 'invalid'],
  ],
  env: [
    ['A=1', 'invalid'],
    [[], 'invalid'],
    [{ A: null }, 'invalid'],
    [{ A: {} }, 'invalid'],
    [many, 'too_long'],
    [{ A: deep }, 'too_long'],
    [{ ['k'.repeat(256)]: '' }, 'too_long'],
    [{ 'a\0': '' }, 'invalid'],
  ],
  ignore_pipeline_branch_filters: [['yes', 'invalid']],
  message: [
    [5, 'invalid'],
    [deep, 'too_long'],
    ['\ud83d', 'invalid'],
  ],
  meta_data: [
    [true, 'invalid'],
    [{ a: ['b'] }, 'invalid'],
    [many, 'too_long'],
    [{ a: 'b\udc00' }, 'invalid'],
  ],
  pull_request_base_branch: [
    [{}, 'invalid'],
    ['b'.repeat(256), 'too_long'],
  ],
  pull_request_id: [
    ['12', 'invalid'],
    [1.5, 'invalid'],
    [2 ** 53, 'invalid'],
  ],
  pull_request_repository: [[0, 'invalid']],
};
const right: Readonly<Record<string, readonly unknown[]>> = {
  commit: ['HEAD', 'c'.repeat(255)],
  branch: ['main', '\u{1f600}'],
  author: [undefined, null, {}, { name: 'n', email: 'e' }],
  clean_checkout: [undefined, null, true],
  env: [undefined, null, {}, { A: 1, B: true, C: '' }, { ['k'.repeat(255)]: deep.slice(1) }],
  ignore_pipeline_branch_filters: [undefined, false],
  message: [undefined, null, '', deep.slice(1)],
  meta_data: [undefined, {}],
  pull_request_base_branch: [undefined, null, 'main'],
  pull_request_id: [undefined, null, 12],
  pull_request_repository: [undefined, 'git@x:y'],
};

test('exactly the invalid fields are reported, in the order of the schema, each with its own code', async (t) => {
  const field = (name: string) =>
    fc.oneof(
      fc.constantFrom(...(right[name] ?? [])).map((value) => ({ value, code: undefined })),
      fc.constantFrom(...(wrong[name] ?? [])).map(([value, code]) => ({ value, code })),
    );
  const names = Object.keys(wrong);
  const bodies = fc.record(Object.fromEntries(names.map((name) => [name, field(name)])));
  await fc.assert(
    fc.asyncProperty(bodies, async (chosen) => {
      const given = names.filter((name) => chosen[name]?.value !== undefined);
      const body = Object.fromEntries(given.toReversed().map((name) => [name, chosen[name]?.value]));
      t.deepEqual(
        await codes(body),
        names.flatMap((name) => (chosen[name]?.code ? [[name, chosen[name].code]] : [])),
      );
    }),
    settings,
  );
});

test('NUL and lone surrogates are rejected at any position, and nothing else is', async (t) => {
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(null, 1, true),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.string({ unit: 'grapheme' }), tie('value'), { maxKeys: 3 }),
    ),
  }));
  const bad = fc.constantFrom('\0', 'a\0b', '\ud800', 'x\udfff', '\udc00\ud800');
  const around = fc.array(fc.constantFrom('array', 'value', 'key', 'text'), { maxLength: 4 });
  fc.assert(
    fc.property(value, (one) => isStorable(one)),
    settings,
  );
  fc.assert(
    fc.property(value, bad, around, (one, evil, layers) => {
      let inner: unknown = evil;
      for (const layer of layers) {
        if (layer === 'array') inner = [one, inner];
        else if (layer === 'value') inner = { other: one, k: inner };
        else if (layer === 'key') inner = { k: inner, [evil]: one };
        else if (typeof inner === 'string') inner = `pre${inner}`;
      }
      return !isStorable(inner);
    }),
    settings,
  );
  t.deepEqual(await codes({ commit: 'a', branch: 'b', unknown: '\0' }), [], 'what is ignored is not judged');
});

const Example = looseObject({
  name: string({ minLength: 1, maxLength: 5 }),
  color: optional(nullable(string({ pattern: '^#[0-9a-f]{3}$', reason: 'must be a hex color code' }))),
  force: optional(boolean()),
  size: optional(integer({ minimum: 0 })),
  mode: optional(nullable(enumeration(['fast', 'slow']))),
  levels: optional(array(enumeration(['read', 'edit']), { minItems: 1 })),
  tags: optional(array(string({ pattern: '=', reason: 'must be of the form key=value' }))),
  title: optional(string({ pattern: '\\S', reason: "can't be blank" })),
  access: optional({
    anyOf: [{ type: 'array', items: { enum: ['read'] } }, { enum: ['read'] }],
    reason: 'must be made of read',
  } as Schema<unknown>),
});

const wordings: readonly (readonly [object, string | undefined])[] = [
  [{ name: 'a' }, undefined],
  [{}, "name can't be blank"],
  [{ name: null }, "name can't be blank"],
  [{ name: '' }, "name can't be blank"],
  [{ name: 1 }, 'name must be a string'],
  [{ name: 'a'.repeat(6) }, 'name is too long'],
  [{ name: 'a', color: null, mode: null }, undefined],
  [{ name: 'a', color: 'red' }, 'color must be a hex color code'],
  [{ name: 'a', color: 1 }, 'color must be a hex color code'],
  [{ name: 'a', force: 'yes' }, 'force must be a boolean'],
  [{ name: 'a', force: null }, 'force must be a boolean'],
  [{ name: 'a', size: '1' }, 'size must be an integer'],
  [{ name: 'a', size: -1 }, 'size is invalid'],
  [{ name: 'a', mode: 'x' }, 'mode must be one of fast, slow'],
  [{ name: 'a', levels: [] }, "levels can't be blank"],
  [{ name: 'a', levels: ['read', 'write'] }, 'levels must be one of read, edit'],
  [{ name: 'a', levels: ['read', 5] }, 'levels is invalid'],
  [{ name: 'a', tags: ['a=b', 'c'] }, 'tags must be of the form key=value'],
  [{ color: 1, size: '' }, "name can't be blank, color must be a hex color code, size must be an integer"],
  [{ name: 'a', title: 5 }, 'title must be a string'],
  [{ name: 'a', title: null }, "title can't be blank"],
  [{ name: 'a', title: ' ' }, "title can't be blank"],
  [{ name: 'a', access: ['write'] }, 'access must be made of read'],
  [{ name: 'a', other: { anything: 1 } }, undefined],
];

for (const [value, wanted] of wordings) {
  test(`${JSON.stringify(value)} is told as: ${wanted ?? 'nothing'}`, async (t) => {
    const problems = await problemsOf(Example, value);
    t.is(problems.map(({ field, reason }) => `${field} ${reason}`).join(', ') || undefined, wanted);
  });
}

test('what the schema does not name is left out of the value', async (t) => {
  const given = JSON.parse('{"name":"a","id":"x","version":9,"toString":1}');
  t.deepEqual(await validate(Example, given), { value: { name: 'a' } as never });
});

test('error messages name fields in words', (t) => {
  t.deepEqual(['default_queue_id', 'name', 'allowed_ip_addresses'].map(humanize), [
    'Default queue',
    'Name',
    'Allowed ip addresses',
  ]);
});
