import assert from 'node:assert/strict';
import fc from 'fast-check';
import { anyText } from '../../arbitraries/texts.js';
import type { Case } from '../../case.js';
import { propertyParameters } from '../../property-settings.js';
import { buildsPath, Driver, pipelineFixture } from '../driver.js';
import { type ServiceHarness, withService } from '../service.js';

const fixture = pipelineFixture({ steps: [{ key: 'build', command: 'make' }] });
const now = '2026-01-05T09:00:00.000Z';

const minimalBody: Case<ServiceHarness> = {
  id: 'builds.create',
  cites: 'spec 2.4, spec 3.1, spec 4.2, decisions 4, decisions 7, decisions 12',
  run: (harness) =>
    withService(harness, fixture, async (service) => {
      const driver = new Driver(service);
      const { status, body } = await driver.create({ commit: ' HEAD~1 ' });
      const me = (await service.send('GET', '/v2/user')).body;
      const { id, graphql_id, jobs, pipeline, ...rest } = body;
      assert.equal(status, 201);
      assert.equal(Buffer.from(graphql_id, 'base64').toString(), `Build---${id}`);
      assert.deepEqual(rest, {
        url: `https://api.ci.test${buildsPath}/1`,
        web_url: 'https://ci.test/acme/web/builds/1',
        number: 1,
        state: 'scheduled',
        cancel_reason: null,
        blocked: false,
        message: null,
        commit: ' HEAD~1 ',
        branch: 'main',
        env: {},
        source: 'api',
        creator: me,
        author: null,
        created_at: now,
        scheduled_at: now,
        started_at: null,
        finished_at: null,
        meta_data: {},
        pull_request: null,
        rebuilt_from: null,
      });
      assert.deepEqual(
        jobs.map((job: Record<string, unknown>) => [job.step_key, job.state, job.command, job.runnable_at]),
        [['build', 'scheduled', 'make', now]],
      );
      assert.deepEqual([pipeline.slug, pipeline.scheduled_builds_count], ['web', 1]);
      assert.deepEqual((await driver.build(1)).body, body, 'a later read equals the response to the creation');
      assert.deepEqual((await service.send('GET', buildsPath)).body, [body]);
    }),
};

const fullBody: Case<ServiceHarness> = {
  id: 'builds.create-with-everything',
  cites: 'spec 4.2, decisions 7',
  run: (harness) =>
    withService(harness, fixture, async (service) => {
      const { body } = await new Driver(service).create({
        author: { name: 'Ann', email: 'ann@x.test', id: 'ignored' },
        clean_checkout: true,
        env: { A: 'a', N: 1.5, T: true, F: false, Z: 0, E: '' },
        meta_data: { 'a b': 'c', n: -1 },
        message: '',
        pull_request_id: 12,
        pull_request_base_branch: 'main',
        pull_request_repository: 'git@x.test:y.git',
        ignore_pipeline_branch_filters: true,
      });
      assert.deepEqual(body.author, { name: 'Ann', email: 'ann@x.test' });
      assert.deepEqual(body.env, { A: 'a', N: '1.5', T: 'true', F: 'false', Z: '0', E: '' });
      assert.deepEqual(body.meta_data, { 'a b': 'c', n: '-1' });
      assert.equal(body.message, '');
      assert.deepEqual(body.pull_request, { id: '12', base: 'main', repository: 'git@x.test:y.git' });
      const sparse = await new Driver(service).create({ author: {}, env: null, message: null, pull_request_id: 7 });
      assert.deepEqual(
        [sparse.body.author, sparse.body.env, sparse.body.message, sparse.body.pull_request],
        [null, {}, null, { id: '7', base: null, repository: null }],
      );
    }),
};

const exactTexts: Case<ServiceHarness> = {
  id: 'builds.create-keeps-texts',
  cites: 'decisions 1',
  run: (harness) =>
    withService(harness, fixture, async (service) => {
      const driver = new Driver(service);
      const text = anyText().map((one) => [...one].slice(0, 200).join(''));
      const entries = fc.dictionary(
        text.filter((key) => key !== '__proto__'),
        text,
        { maxKeys: 4, noNullPrototype: true },
      );
      const plainObject = { noNullPrototype: true };
      const texts = fc.record(
        {
          commit: text.filter((one) => one !== ''),
          branch: text.filter((one) => one !== ''),
          message: text,
          env: entries,
          meta_data: entries,
          author: fc.record({ name: text, email: text }, plainObject),
        },
        plainObject,
      );
      await fc.assert(
        fc.asyncProperty(texts, async (body) => {
          const { number } = (await driver.create(body)).body;
          const read = (await driver.build(number)).body;
          assert.deepEqual(Object.fromEntries(Object.keys(body).map((name) => [name, read[name]])), body);
        }),
        propertyParameters(40),
      );
    }),
};

/** Bodies can set only the fields that spec 4.2 names. */
const massAssignment: Case<ServiceHarness> = {
  id: 'builds.create-ignores-other-properties',
  cites: 'decisions 1',
  run: (harness) =>
    withService(harness, fixture, async (service) => {
      const driver = new Driver(service);
      const usual = (await driver.create()).body;
      const documented = ['commit', 'branch', 'author', 'env', 'message', 'meta_data'];
      const other: Record<string, unknown> = {};
      for (const [name, value] of Object.entries(usual)) {
        if (documented.includes(name)) continue;
        if (typeof value === 'number') other[name] = 4_711;
        else if (typeof value === 'boolean') other[name] = !value;
        else other[name] = value === null ? now : Array.isArray(value) ? [] : typeof value === 'object' ? {} : 'passed';
      }
      const columns = {
        organization_id: 'x',
        pipeline_id: 'x',
        creator_id: null,
        version: 9,
        rebuilt_from: { number: 1 },
      };
      const { id, graphql_id, jobs, ...created } = (await driver.create({ ...other, ...columns })).body;
      const { id: usualId, graphql_id: _, jobs: usualJobs, ...wanted } = usual;
      assert.notEqual(id, usualId);
      assert.equal(jobs.length, usualJobs.length);
      assert.deepEqual(created, {
        ...wanted,
        number: 2,
        url: wanted.url.replace(/1$/, '2'),
        web_url: wanted.web_url.replace(/1$/, '2'),
        pipeline: { ...wanted.pipeline, scheduled_builds_count: 2, scheduled_jobs_count: 2 },
      });
    }),
};

const long = 'x'.repeat(65_536);
const many = Object.fromEntries(Array.from({ length: 257 }, (_, index) => [`k${index}`, 'v']));

/** Changes to a valid body that make it invalid, with the expected errors in order. */
const invalidBodies: readonly (readonly [object, string])[] = [
  [{ commit: undefined, branch: undefined }, 'commit missing, branch missing'],
  [{ commit: null, branch: '' }, 'commit missing, branch missing'],
  [{ commit: 5, branch: ['main'] }, 'commit invalid, branch invalid'],
  [{ branch: 'b'.repeat(256), commit: 'c'.repeat(256) }, 'commit too_long, branch too_long'],
  [{ message: long }, 'message too_long'],
  [{ message: 5, env: [] }, 'env invalid, message invalid'],
  [{ env: { A: null } }, 'env invalid'],
  [{ env: { A: {} }, meta_data: { a: ['b'] } }, 'env invalid, meta_data invalid'],
  [{ env: many, meta_data: { ['k'.repeat(256)]: '' } }, 'env too_long, meta_data too_long'],
  [{ env: { A: long } }, 'env too_long'],
  [{ author: 'Ann' }, 'author invalid'],
  [{ author: { name: 'Ann' } }, 'author invalid'],
  [{ author: { name: 'Ann', email: null } }, 'author invalid'],
  [{ commit: undefined, author: { email: 'a@x.test' } }, 'commit missing, author invalid'],
  [{ clean_checkout: 'true' }, 'clean_checkout invalid'],
  [{ ignore_pipeline_branch_filters: 1 }, 'ignore_pipeline_branch_filters invalid'],
  [{ pull_request_id: '12' }, 'pull_request_id invalid'],
  [{ pull_request_id: 1.5 }, 'pull_request_id invalid'],
  [
    { pull_request_base_branch: {}, pull_request_repository: 1 },
    'pull_request_base_branch invalid, pull_request_repository invalid',
  ],
  [{ commit: 'a\0' }, 'commit invalid'],
  [{ message: 'a\ud800' }, 'message invalid'],
  [{ env: { 'a\0': 'b' }, meta_data: { a: '\udc00' } }, 'env invalid, meta_data invalid'],
  [
    {
      commit: 1,
      branch: 1,
      author: 1,
      clean_checkout: 1,
      env: 1,
      ignore_pipeline_branch_filters: 1,
      message: 1,
      meta_data: 1,
      pull_request_base_branch: 1,
      pull_request_id: '1',
      pull_request_repository: 1,
    },
    'commit invalid, branch invalid, author invalid, clean_checkout invalid, env invalid, ignore_pipeline_branch_filters invalid, message invalid, meta_data invalid, pull_request_base_branch invalid, pull_request_id invalid, pull_request_repository invalid',
  ],
];

const refused: Case<ServiceHarness> = {
  id: 'builds.create-refusals',
  cites: 'spec 7, decisions 1, decisions 7, decisions 12',
  run: (harness) =>
    withService(harness, fixture, async (service) => {
      const driver = new Driver(service);
      for (const [changes, errors] of invalidBodies) {
        const { status, body } = await driver.create(changes);
        const found = (body.errors ?? []).map(({ field, code }: Record<string, string>) => `${field} ${code}`);
        assert.deepEqual([status, body.message, found.join(', ')], [422, 'Validation Failed', errors]);
      }
      const { number } = (await driver.create({ message: long.slice(1), branch: '\u{1f600}'.repeat(255) })).body;
      assert.equal(number, 1, 'a refused build takes no number');
    }),
};

export const creatingBuilds: readonly Case<ServiceHarness>[] = [
  minimalBody,
  fullBody,
  exactTexts,
  massAssignment,
  refused,
];
