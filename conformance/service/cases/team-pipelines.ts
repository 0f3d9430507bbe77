import assert from 'node:assert/strict';
import type { Case } from '../../case.js';
import { mergeFixtures, organizationFixture } from '../fixture.js';
import { expectAllRejected, type InvalidBody } from '../invalid-bodies.js';
import { fetchRecords, snapshot } from '../records.js';
import { type SendOptions, type Service, type ServiceHarness, withService } from '../service.js';

const twoOrganizations = mergeFixtures(organizationFixture('acme'), organizationFixture('rivals'));
const teamsPath = '/v2/organizations/acme/teams';
const uuid = '0190a000-0000-7000-8000-000000000000';

/** The first team, the pipeline that it has, and one that it does not have. */
const teamAndPipelines = async (service: Service) => {
  const [team, other] = (await fetchRecords(service, 'acme')).teams;
  const held = team.pipelines[0].pipeline_id as string;
  const free = other.pipelines[0].pipeline_id as string;
  return { team, held, free, base: `${teamsPath}/${team.id}/pipelines` };
};

const created: Case<ServiceHarness> = {
  id: 'team-pipelines.create',
  cites: 'spec 2.11, spec 4.7, decisions 1, decisions 9',
  run: (harness) =>
    withService(harness, twoOrganizations, async (service) => {
      const { base, free } = await teamAndPipelines(service);
      for (const [slash, access_level, pipeline_id] of [
        ['/', 'read_only', free],
        ['', 'build_and_read', free.toUpperCase()],
        ['', 'manage_build_and_read', free],
      ] as const) {
        service.clock.advance(1_000);
        const response = await service.send('POST', base + slash, { body: { pipeline_id, access_level } });
        assert.equal(response.status, 201);
        assert.deepEqual(response.body, {
          pipeline_id: free,
          pipeline_url: 'https://api.ci.test/v2/organizations/acme/pipelines/deploy',
          created_at: new Date(service.clock.now()).toISOString(),
          access_level,
        });
        assert.deepEqual((await service.send('GET', `${base}/${pipeline_id}${slash}`)).body, response.body);
        assert.deepEqual((await service.send('GET', base)).body.at(-1), response.body);
        assert.equal((await service.send('DELETE', `${base}/${free}`)).status, 204);
      }
    }),
};

const levels: readonly InvalidBody[] = [
  [{}, "Validation failed: Access level can't be blank"],
  [{ access_level: null }, "Validation failed: Access level can't be blank"],
  ...['read', '', 'READ_ONLY'].map(
    (access_level): InvalidBody => [
      { access_level },
      'Validation failed: Access level must be one of read_only, build_and_read, manage_build_and_read',
    ],
  ),
  ...[['read_only'], 5, {}].map(
    (access_level): InvalidBody => [{ access_level }, 'Validation failed: Access level must be a string'],
  ),
];

const validation: Case<ServiceHarness> = {
  id: 'team-pipelines.validation',
  cites: 'spec 7, decisions 9, decisions 12',
  run: (harness) =>
    withService(harness, twoOrganizations, async (service) => {
      const { base, held, free } = await teamAndPipelines(service);
      const theirs = (await fetchRecords(service, 'rivals')).teams[0].pipelines[0].pipeline_id;
      const before = await snapshot(service, 'acme');
      const read = { access_level: 'read_only' };
      await expectAllRejected(service, ['POST'], base, [
        [{}, "Validation failed: Pipeline can't be blank, Access level can't be blank"],
        [read, "Validation failed: Pipeline can't be blank"],
        [{ pipeline_id: 5, ...read }, 'Validation failed: Pipeline must be a string'],
        ...[uuid, 'x', '', 'web', theirs].map(
          (pipeline_id): InvalidBody => [{ pipeline_id, ...read }, 'Validation failed: Pipeline must exist'],
        ),
        [{ pipeline_id: held, ...read }, 'Validation failed: Pipeline has already been added to this team'],
        ...levels.map(([body, message]): InvalidBody => [{ pipeline_id: free, ...(body as object) }, message]),
      ]);
      await expectAllRejected(service, ['PATCH', 'PUT'], `${base}/${held}`, levels);
      assert.equal(await snapshot(service, 'acme'), before);
    }),
};

const removals: readonly {
  readonly what: string;
  readonly request: (held: string, free: string) => [path: string, body?: unknown];
}[] = [
  { what: 'in the path', request: (held) => [`/${held}`] },
  { what: 'in the path, with a slash', request: (held) => [`/${held}/`] },
  { what: 'in the path, in capitals', request: (held) => [`/${held.toUpperCase()}`] },
  { what: 'in the query', request: (held) => [`?pipeline_id=${held}`] },
  { what: 'in the query, with a slash', request: (held) => [`/?pipeline_id=${held.toUpperCase()}`] },
  { what: 'in the body', request: (held) => ['', { pipeline_id: held }] },
  { what: 'in the body, with a slash', request: (held) => ['/', { pipeline_id: held }] },
  { what: 'in the path before the body', request: (held, free) => [`/${held}`, { pipeline_id: free }] },
];

const deletion: Case<ServiceHarness> = {
  id: 'team-pipelines.delete-by-path-query-or-body',
  cites: 'spec 4.7, decisions 9',
  run: (harness) =>
    withService(harness, twoOrganizations, async (service) => {
      const { base, held, free, team } = await teamAndPipelines(service);
      const theirs = (await fetchRecords(service, 'rivals')).teams[0].pipelines[0].pipeline_id;
      await service.send('POST', base, { body: { pipeline_id: free, access_level: 'read_only' } });
      const ids = async () =>
        (await service.send('GET', base)).body.map((one: { pipeline_id: string }) => one.pipeline_id).sort();
      const refused = async (path: string, body: unknown, status: number, message: string) => {
        const options: SendOptions = body === undefined ? {} : { body };
        const response = await service.send('DELETE', base + path, options);
        assert.deepEqual([response.status, response.body], [status, { message }], `${path} ${JSON.stringify(body)}`);
        assert.deepEqual(await ids(), [held, free].sort(), 'a refused request deletes nothing');
      };
      const blank = "Validation failed: Pipeline can't be blank";
      for (const slash of ['', '/']) {
        for (const body of [undefined, {}, { pipeline_id: null }, { pipeline_id: '' }])
          await refused(slash, body, 422, blank);
        await refused(`${slash}?pipeline_id=`, undefined, 422, blank);
        await refused(slash, { pipeline_id: 5 }, 422, 'Validation failed: Pipeline must be a string');
      }
      for (const id of [uuid, 'x', 'web', theirs, team.id]) {
        await refused(`?pipeline_id=${id}`, undefined, 404, 'No team pipeline found');
        await refused('', { pipeline_id: id }, 404, 'No team pipeline found');
        await refused(`/${id}`, { pipeline_id: held }, 404, 'No team pipeline found');
      }
      for (const { what, request } of removals) {
        const [path, body] = request(held, free);
        const response = await service.send('DELETE', base + path, body === undefined ? {} : { body });
        assert.deepEqual([response.status, response.text], [204, ''], what);
        assert.deepEqual(await ids(), [free], what);
        await service.send('POST', base, { body: { pipeline_id: held, access_level: 'read_only' } });
      }
    }),
};

const access: Case<ServiceHarness> = {
  id: 'team-pipelines.webhook-follows-access',
  cites: 'spec 2.5, spec 2.11, spec 5.6, decisions 2, decisions 9',
  run: (harness) =>
    withService(harness, twoOrganizations, async (service) => {
      const { base, held, team } = await teamAndPipelines(service);
      const webhook = async (who: string) => {
        const token = service.tokens[`${who}@acme.test`] ?? null;
        const one = await service.send('GET', '/v2/organizations/acme/pipelines/web/builds/1', { token });
        const list = await service.send('GET', '/v2/organizations/acme/pipelines/web/builds', { token });
        const rendered = new Set([one.body, ...list.body].map((build) => build.pipeline.provider.webhook_url));
        assert.equal(rendered.size, 1, 'the list has the same representation');
        return [...rendered][0];
      };
      const address = 'https://hooks.acme.test/web';
      for (const method of ['PATCH', 'PUT']) {
        for (const access_level of ['read_only', 'manage_build_and_read', 'build_and_read', 'manage_build_and_read']) {
          const response = await service.send(method, `${base}/${held}`, { body: { access_level } });
          assert.deepEqual([response.status, response.body], [200, { ...team.pipelines[0], access_level }]);
          assert.equal(await webhook('member'), access_level === 'manage_build_and_read' ? address : '', access_level);
          assert.equal(await webhook('stopper'), '', 'hidden from users outside the team');
          assert.equal(await webhook('admin'), address);
        }
      }
      await service.send('DELETE', `${base}/${held}`);
      assert.equal(await webhook('member'), '');
      await service.send('POST', base, { body: { pipeline_id: held, access_level: 'manage_build_and_read' } });
      assert.equal(await webhook('member'), address);
    }),
};

/** Team pipelines (spec 2.11, 4.7). */
export const teamPipelines: readonly Case<ServiceHarness>[] = [created, validation, deletion, access];
