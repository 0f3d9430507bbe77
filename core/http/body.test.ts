import test from 'ava';
import fc from 'fast-check';
import { scaledRuns, seed } from '../../conformance/property-settings.js';
import { isApiError } from '../errors/index.js';
import type { ApiRequest } from '../ports/index.js';
import { readBody } from './body.js';

const settings = { seed, numRuns: scaledRuns(1_000) };
const limit = 1_000;

const request = (type: string | undefined, body: ApiRequest['body']): ApiRequest => ({
  method: 'POST',
  target: '/',
  headers: { 'content-type': type },
  remoteAddress: undefined,
  body,
});

/** The object that was read, or the status of the refusal. */
async function outcome(type: string | undefined, body: ApiRequest['body']): Promise<unknown> {
  const read = await readBody(request(type, body), limit);
  return isApiError(read) ? read.output.statusCode : read;
}
const sent = (type: string | undefined, body: string | Uint8Array) => {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return outcome(type, { read: async (most) => (bytes.length > most ? 'too_large' : bytes) });
};
const parsed = (type: string | undefined, value: unknown) => outcome(type, { parsed: value });

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';

/** Objects as JSON can say them, without forbidden keys. */
const object = fc
  .dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 4 }), { maxKeys: 5 })
  .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>)
  .filter((value) => !/"(__proto__|constructor)"/.test(JSON.stringify(value)))
  .filter((value) => Buffer.byteLength(JSON.stringify(value)) <= limit);

const jsonTypes = [
  json,
  'Application/JSON',
  `${json}; charset=utf-8`,
  `${json};charset="UTF8"`,
  'application/vnd.ci+json',
  undefined,
  '',
  form,
];

test('an object is read as it is, under every type that is taken, raw and from a parser of the host', async (t) => {
  await fc.assert(
    fc.asyncProperty(object, fc.constantFrom(...jsonTypes), async (value, type) => {
      t.deepEqual(await sent(type, JSON.stringify(value)), value);
      if (type !== form) t.deepEqual(await parsed(type, value), value);
      t.deepEqual(await parsed(type, JSON.stringify(value)), value);
    }),
    settings,
  );
});

test('any bytes under any type are an object or a refusal with 400, 413 or 415', async (t) => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: limit + 10 }),
    fc.json().map((text) => Buffer.from(text)),
    fc
      .constantFrom('{', '{}', '[]', 'null', '"x"', '{"a":1}x', '{"a":NaN}', "{'a':1}", '{"a":1,}')
      .map((text) => Buffer.from(text)),
  );
  const type = fc.oneof(fc.constantFrom(...jsonTypes, 'text/plain', 'multipart/form-data; boundary=x'), fc.string());
  await fc.assert(
    fc.asyncProperty(bytes, type, async (body, header) => {
      const got = await sent(header, body);
      t.true(typeof got === 'object' ? !Array.isArray(got) : [400, 413, 415].includes(got as number), String(got));
    }),
    settings,
  );
});

test('nothing at all is an empty object, whatever its type says', async (t) => {
  for (const type of [...jsonTypes, 'text/plain', 'multipart/form-data; boundary=x', 'nonsense']) {
    t.deepEqual(await sent(type, ''), {});
    t.deepEqual(await parsed(type, undefined), {});
    t.deepEqual(await parsed(type, ''), {});
  }
  // Body parsers give an empty object for an empty form.
  t.deepEqual(await parsed(form, {}), {});
});

const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;

const refused: readonly (readonly [string | undefined, string | Uint8Array, number])[] = [
  [json, '{"a":', 400],
  [json, ' ', 400],
  [json, 'null', 400],
  [json, '[]', 400],
  [json, '"text"', 400],
  [json, Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d), 400],
  [json, '{"__proto__":{}}', 400],
  [json, '{"a":[{"__proto__":1}]}', 400],
  [json, '{"a":{"constructor":{"prototype":{}}}}', 400],
  [json, nested(65), 400],
  [json, `{"a":${'['.repeat(64)}${']'.repeat(64)}}`, 400],
  [json, `{"a":"${'x'.repeat(limit)}"}`, 413],
  ['text/plain', 'x'.repeat(limit + 1), 413],
  [form, 'a=b', 415],
  [form, '[]', 415],
  [form, '{"a":', 415],
  [form, '{"__proto__":1}', 400],
  [`${form}; charset=latin1`, '{}', 415],
  ['text/plain', '{}', 415],
  ['text/json', '{}', 415],
  ['application/xml', '<a/>', 415],
  ['multipart/form-data; boundary=x', '--x--', 415],
  [`${json}; charset=utf-16`, '{}', 415],
  [`${json}; charset=iso-8859-1`, '{}', 415],
  [`${json}, ${json}`, '{}', 415],
  ['json', '{}', 415],
];

for (const [type, body, status] of refused) {
  test(`${status}: ${type} with ${body.slice(0, 40)}`, async (t) => t.is(await sent(type, body), status));
}

test('values just within the limits are accepted', async (t) => {
  t.deepEqual(await sent(json, nested(64)), JSON.parse(nested(64)));
  t.deepEqual(await sent(json, '{"constructor":"x","prototype":{}}'), { constructor: 'x', prototype: {} });
  t.deepEqual(await sent(json, '\ufeff{"a":1}'), { a: 1 });
  t.deepEqual(await sent(json, ` {"a":"${'x'.repeat(limit - 9)}"}`), { a: 'x'.repeat(limit - 9) });
  t.deepEqual(await sent(`${form}; charset=UTF-8`, ' {"a":1}'), { a: 1 });
});

test('the result of a body parser of the host program must meet the same rules', async (t) => {
  t.is(await parsed(json, []), 400);
  t.is(await parsed(json, 'text'), 400);
  t.is(await parsed(json, JSON.parse('{"a":{"__proto__":1}}')), 400);
  t.is(await parsed(json, JSON.parse(nested(65))), 400);
  t.is(await parsed(form, { a: 'b' }), 415);
  t.is(await parsed('text/plain', { a: 'b' }), 415);
  t.is(await parsed('text/plain', '{}'), 415);
  t.deepEqual(await parsed(json, Buffer.from('{"a":1}')), { a: 1 });
  t.is(await parsed(json, 'too_large'), 400);
});

test('deep nesting is refused quickly and without running out of stack', async (t) => {
  const deep = 100_000;
  const body = { read: async () => Buffer.from(`{"a":${'['.repeat(deep)}${']'.repeat(deep)}}`) };
  t.is(await outcome(json, body), 400);
});
