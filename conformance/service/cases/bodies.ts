import assert from 'node:assert/strict';
import { atSeam, type Case } from '../../case.js';
import { commandSequence, exampleRequests, targetOf } from '../example-requests.js';
import { organizationFixture } from '../fixture.js';
import { type ServiceHarness, withService } from '../service.js';

const acme = organizationFixture('acme');
const json = 'application/json';
const form = 'application/x-www-form-urlencoded';
const nested = (levels: number) => `{"x":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;

/** Bodies that every operation refuses, with their content types (undefined: no header). */
const refused: readonly (readonly [string | undefined, string | Uint8Array, number])[] = [
  [json, '{"a":', 400],
  [json, '[]', 400],
  [json, 'null', 400],
  [json, '"text"', 400],
  [json, '1', 400],
  [json, ' ', 400],
  [undefined, 'a=b', 400],
  [json, Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d), 400],
  [json, '{"__proto__":{"admin":true}}', 400],
  [json, '{"x":[{"__proto__":1}]}', 400],
  [json, '{"constructor":{"prototype":{}}}', 400],
  [json, nested(65), 400],
  [json, `{"x":"${'x'.repeat(1_048_576)}"}`, 413],
  [form, 'force=true&commit=HEAD&branch=main', 415],
  [form, '{"a":', 415],
  [form, '["a"]', 415],
  ['multipart/form-data; boundary=x', '--x\r\n\r\n--x--', 415],
  ['text/plain', '{}', 415],
  ['application/xml', '<a/>', 415],
  ['application/jsonp', '{}', 415],
  [`${json}; charset=utf-16`, '{}', 415],
  [`${json}; charset=iso-8859-1`, '{}', 415],
  ['nonsense', '{}', 415],
];

/** Content types with which JSON bodies are accepted. */
const acceptedTypes = [
  json,
  'Application/Json',
  `${json}; charset=utf-8`,
  `${json}; charset="UTF-8"`,
  'application/vnd.api+json',
  form,
  `${form}; charset=utf-8`,
  undefined,
];

const headersOf = (type: string | undefined): Record<string, string> =>
  type === undefined ? {} : { 'content-type': type };

const refusedBodies: Case<ServiceHarness> = {
  id: 'requests.refused-bodies',
  cites: 'spec 1.4, spec 8.1, decisions 1, decisions 12',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      const before = await service.api.events.read(0, 1_000);
      for (const example of commandSequence(await exampleRequests(service))) {
        const { operation } = example;
        for (const [type, body, status] of refused) {
          const response = await service.send(operation.method, targetOf(example), {
            headers: headersOf(type),
            raw: body,
          });
          const sent = `${operation.id}: ${type} with ${String(body).slice(0, 50)}`;
          assert.equal(response.status, status, `${sent}: ${response.text}`);
        }
        assert.deepEqual(
          await service.api.events.read(0, 1_000),
          before,
          `${operation.id}: what is refused changes nothing`,
        );
      }
    }),
};

const takenBodies: Case<ServiceHarness> = {
  id: 'requests.taken-bodies',
  cites: 'spec 1.4, decisions 1, decisions 12',
  async run(harness) {
    for (const type of acceptedTypes) {
      await withService(harness, acme, async (service) => {
        for (const example of commandSequence(await exampleRequests(service))) {
          const body = JSON.stringify({ ...example.body, unknown: JSON.parse(nested(63)), id: 'x', created_at: 0 });
          const { operation } = example;
          const response = await service.send(operation.method, targetOf(example), {
            headers: headersOf(type),
            raw: body,
          });
          assert.equal(response.status, operation.success, `${operation.id}: ${type}: ${response.text}`);
        }
      });
    }
  },
};

const emptyBodies: Case<ServiceHarness> = {
  id: 'requests.empty-bodies',
  cites: 'decisions 1',
  async run(harness) {
    for (const type of [json, form, 'text/plain', 'multipart/form-data; boundary=x', undefined]) {
      await withService(harness, acme, async (service) => {
        for (const example of commandSequence(await exampleRequests(service))) {
          const { operation } = example;
          const sent = `${operation.id}: ${type}`;
          const response = await service.send(operation.method, targetOf(example), {
            headers: headersOf(type),
            raw: '',
          });
          if (operation.form === 'command' && operation.body?.required)
            assert.match(response.text, /^\{"message":"Validation [Ff]ailed/, `${sent}: an empty object`);
          else assert.equal(response.status, operation.success, `${sent}: ${response.text}`);
        }
      });
    }
  },
};

const limits: Case<ServiceHarness> = {
  id: 'requests.body-limit',
  cites: 'decisions 1',
  run: (harness) =>
    withService(
      harness,
      acme,
      async (service) => {
        const target = '/v2/organizations/acme/pipelines/web/builds';
        const body = (length: number) => {
          const start = '{"commit":"c","branch":"main","x":"';
          return `${start}${'x'.repeat(length - start.length - 2)}"}`;
        };
        assert.equal((await service.send('POST', target, { body: body(200) })).status, 201);
        const response = await service.send('POST', target, { body: body(201) });
        assert.equal(response.status, 413);
        assert.match(response.body.message, /200/);
      },
      { bodyLimit: 200 },
    ),
};

export const bodies: readonly Case<ServiceHarness>[] = atSeam('bodies', [
  refusedBodies,
  takenBodies,
  emptyBodies,
  limits,
]);
