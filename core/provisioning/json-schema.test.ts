import { readFileSync, writeFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import test from 'ava';
import { baseFixture, serviceWithFixture } from './_fixture-service.test.js';
import { fixtureSchema } from './json-schema.js';

const path = 'docs/fixture.schema.json';
const schema = () => `${JSON.stringify(fixtureSchema(), null, 2)}\n`;

test('docs/fixture.schema.json is the schema of fixtures', (t) => {
  if (process.env.MILLRACE_WRITE) writeFileSync(path, schema());
  t.is(readFileSync(path, 'utf8'), schema(), 'make it anew with MILLRACE_WRITE=1');
});

test('another validator understands it, and agrees', (t) => {
  const ajv = new Ajv2020({ allowUnionTypes: true });
  addFormats.default(ajv);
  const validate = ajv.compile(fixtureSchema());
  t.true(validate(baseFixture), ajv.errorsText(validate.errors));
  t.true(validate({ $schema: 'fixture.schema.json', ...baseFixture }));
  t.false(validate({ ...baseFixture, builds: [{ ...baseFixture.builds[0], state: 'blocked' }] }));
  t.false(validate({ ...baseFixture, colour: 1 }));
});

test('the example of docs/fixtures.md loads', async (t) => {
  const page = readFileSync('docs/fixtures.md', 'utf8');
  const [, example = ''] = /```json\n([\s\S]*?)```/.exec(page) ?? [];
  const { loaded, get } = await serviceWithFixture(JSON.parse(example));
  t.is(loaded.builds.length, 3);
  const builds = await get('/v2/organizations/acme/pipelines/web/builds');
  t.deepEqual(
    builds.map(({ number, state, blocked }: { number: number; state: string; blocked: boolean }) => [
      number,
      state,
      blocked,
    ]),
    [
      [9, 'scheduled', false],
      [8, 'passed', true],
      [7, 'failed', false],
    ],
  );
});
