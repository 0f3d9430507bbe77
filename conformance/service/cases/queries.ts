import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Operation, Parameter } from '../../api/index.js';
import { hostileTexts } from '../../arbitraries/texts.js';
import { atSeam, type Case } from '../../case.js';
import { propertyParameters } from '../../property-settings.js';
import { buildsPath } from '../driver.js';
import { exampleRequests, targetOf } from '../example-requests.js';
import { organizationFixture } from '../fixture.js';
import { type Service, type ServiceHarness, withService } from '../service.js';

const acme = organizationFixture('acme');
const many = (part: string) => Array.from({ length: 101 }, (_, index) => part.replace('@', String(index))).join('&');

/** Invalid queries for a parameter, derived from its form and schema. `#` stands for its name. */
function invalidValues({ form, schema }: Parameter): string[] {
  const kind = (schema.items ?? schema) as { type?: unknown; format?: unknown; enum?: unknown };
  const values =
    kind.type === 'boolean'
      ? ['', 'yes', 'TRUE', '2', 'null', 'true%20']
      : kind.format === 'date-time'
        ? ['', 'yesterday', '2026-02-30', '2026-1-1', '1767225600', '2026-01-01T25:00:00Z', '2026-01-01T00:00:00+01:00']
        : kind.format === 'uuid'
          ? ['', 'x', '0190a000-0000-7000-8000-00000000000', '0190a000-0000-7000-8000-00000000000g']
          : Array.isArray(kind.enum)
            ? ['', 'x', 'PASSED', 'passed,failed', 'passed%20', 'constructor']
            : ['%00', 'a%00b'];
  if (form === 'single') return ['#[]=true', '#[a]=true', '#=true&#=true', ...values.map((value) => `#=${value}`)];
  if (form === 'map') return ['#=a', '#[]=a', '#[a]=1&#[a]=2', '#[a%00]=1', '#[a]=%00', many('#[k@]=v')];
  return [
    '#[a]=passed',
    '#[[]=passed',
    ...values.flatMap((value) => [`#=${value}`, `#[]=${value}`]),
    many('#[]=passed'),
  ];
}

const invalidPages = ['x', '', '-1', '1.0', '1e3', '%2B1', '9007199254740992', '99999999999999999999', '1&#=1', '٣'];

const hasQuery = (operation: Operation) => Object.keys(operation.query ?? {}).length > 0 || operation.form === 'list';

/** Every parameter of every operation, wrong in every way. */
const malformed: Case<ServiceHarness> = {
  id: 'requests.malformed-parameters',
  cites: 'spec 4.2, spec 4.9, decisions 1, decisions 3, decisions 12',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      for (const example of await exampleRequests(service)) {
        const { operation } = example;
        if (!hasQuery(operation)) continue;
        const target = targetOf(example);
        const refused = async (name: string, query: string) => {
          const filled = query.replaceAll('#', name);
          const response = await service.send(operation.method, `${target}?${filled}`);
          assert.equal(response.status, 400, `${target}?${filled.slice(0, 100)}`);
          assert.ok(response.body.message.startsWith(name), `${response.body.message} does not name ${name}`);
        };
        for (const [name, parameter] of Object.entries(operation.query ?? {}))
          for (const query of invalidValues(parameter)) await refused(name, query);
        if (operation.form !== 'list') continue;
        for (const value of invalidPages) for (const name of ['page', 'per_page']) await refused(name, `#=${value}`);
        await refused('per_page', '#=0');
        for (const name of ['page', 'per_page']) await refused(name, '#[]=1');
      }
    }),
};

const escapes: Case<ServiceHarness> = {
  id: 'requests.malformed-escape-in-the-query',
  cites: 'decisions 12',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      const reading = (await exampleRequests(service)).filter(({ operation }) => operation.method === 'GET');
      for (const query of ['a=%', '%zz=1', 'a=%ff', 'name=%c3%28', 'x=1&%e0%a4=2']) {
        for (const example of reading) {
          const response = await service.send('GET', `${targetOf(example)}?${query}`);
          assert.equal(response.status, 400, `${targetOf(example)}?${query}`);
        }
      }
    }),
};

const list = '/v2/organizations/acme/builds';

/** The ids of the builds that a query finds. */
const found = async (service: Service, query: string): Promise<string[]> => {
  const response = await service.send('GET', `${list}?per_page=100&${query}`);
  assert.equal(response.status, 200, query);
  return response.body.map((build: { id: string }) => build.id);
};

const notations: Case<ServiceHarness> = {
  id: 'requests.array-notations',
  cites: 'spec 1.5, decisions 1',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      const wanted = await found(service, 'state=running&state=scheduled');
      assert.equal(wanted.length, 2);
      const notation = fc.constantFrom('state', 'state[]', 'state%5B%5D', 'state%5b%5d', 'state[0]', '%73tate[]');
      const values = fc.constantFrom(['running', 'scheduled'], ['scheduled', 'running', 'scheduled']);
      await fc.assert(
        fc.asyncProperty(fc.infiniteStream(notation), values, async (names, states) => {
          const query = states.map((state) => `${names.next().value}=${state}`).join('&');
          assert.deepEqual(await found(service, `${query}&unknown[]=1&other=%20`), wanted);
        }),
        propertyParameters(30),
      );
    }),
};

const booleans: Case<ServiceHarness> = {
  id: 'requests.booleans',
  cites: 'decisions 1',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      const jobs = async (word: string) =>
        (await service.send('GET', `/v2/organizations/acme/pipelines/web/builds/1?include_retried_jobs=${word}`)).body
          .jobs.length;
      for (const word of ['true', 'True', '1']) assert.equal(await jobs(word), 5, word);
      for (const word of ['false', 'False', '0']) assert.equal(await jobs(word), 4, word);
    }),
};

const filters: Case<ServiceHarness> = {
  id: 'builds.filters',
  cites: 'spec 4.2, spec 8.4, decisions 7',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      const all = await found(service, '');
      assert.equal(all.length, 4);
      const users = new Map<string, string>();
      for (const [email, token] of Object.entries(service.tokens))
        users.set(email, (await service.send('GET', '/v2/user', { token })).body.id);
      const admin = users.get('admin@acme.test') ?? '';
      const count = async (query: string) => (await found(service, query)).length;
      assert.equal(await count(`creator=${admin}`), 2);
      assert.equal(await count(`creator=${admin.toUpperCase()}`), 2, 'ids are case-insensitive');
      assert.equal(await count('creator=0190a000-0000-7000-8000-000000000000'), 0, 'a user without builds');
      assert.equal(await count(`commit=${'a'.repeat(40)}`), 1);
      assert.equal(await count(`commit=${'a'.repeat(39)}`), 0, 'abbreviated commits are not found');
      assert.equal(await count(`commit=${'A'.repeat(40)}`), 0);
      assert.equal(await count('branch=Main'), 0);
      assert.equal(await count('branch='), 0);
      assert.equal(await count('branch=main&state=passed'), 2, 'all filters apply');
      assert.equal(await count('branch=main&branch=topic'), 4, 'any of the values matches');
      assert.equal(await count('state=blocked'), 1);
      assert.equal(await count('state=finished'), 2, 'blocked builds are finished');
      assert.equal(await count('meta_data[release]=meta%20of%20acme'), 1);
      assert.equal(await count('meta_data[release]=meta+of+acme&meta_data[other]=x'), 0);
      const now = '2026-01-05T09:00:00.000Z';
      assert.equal(await count(`created_from=${now}`), 4, 'inclusive');
      assert.equal(await count(`created_to=${now}`), 0, 'exclusive');
      assert.equal(await count('created_from=2026-01-05T10:00:00%2B01:00'), 4, 'offsets');
      assert.equal(await count('created_from=2026-01-05T09:00'), 4, 'UTC if no zone is given');
      assert.equal(await count('created_from=2026-01-06'), 0);
      assert.equal(await count('finished_from=2026-01-01'), 2, 'only finished builds');
      const { body } = await service.send('GET', `${list}?state=finished&branch=main`);
      const latest = body
        .map((build: { finished_at: string }) => Date.parse(build.finished_at))
        .sort()
        .at(-1);
      const after = (milliseconds: number) => `finished_from=${new Date(latest + milliseconds).toISOString()}`;
      assert.ok((await count(after(0))) >= 1, 'inclusive');
      assert.equal(await count(after(1)), 0);
    }),
};

/** Filters find builds by any text, and find no other builds. */
const anyText: Case<ServiceHarness> = {
  id: 'builds.filters-find-any-text',
  cites: 'spec 4.2, decisions 1',
  run: (harness) =>
    withService(harness, { ...acme, builds: [] }, async (service) => {
      const texts = hostileTexts.filter((text) => text !== '' && text.length < 255);
      const numbers = new Map<string, number>();
      for (const [index, text] of texts.entries()) {
        const body = { branch: text, commit: text, meta_data: { [text]: text, place: index } };
        const { status, body: build } = await service.send('POST', buildsPath, { body });
        assert.equal(status, 201);
        numbers.set(text, build.number);
      }
      for (const text of texts) {
        const escaped = encodeURIComponent(text);
        for (const query of [
          `branch=${escaped}`,
          `commit[]=${escaped}`,
          `meta_data[${escaped}]=${escaped}`,
          `meta_data%5B${escaped}%5D=${escaped}&branch[]=${escaped}`,
        ]) {
          const { body } = await service.send('GET', `${buildsPath}?${query}`);
          assert.deepEqual(
            body.map((build: { number: number }) => build.number),
            [numbers.get(text)],
            query,
          );
        }
      }
    }),
};

export const queries: readonly Case<ServiceHarness>[] = [
  malformed,
  escapes,
  notations,
  booleans,
  filters,
  ...atSeam('texts', [anyText]),
];
