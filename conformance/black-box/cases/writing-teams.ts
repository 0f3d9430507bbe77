import assert from 'node:assert/strict';
import { type BlackBoxCase, blackBoxCase, needsRecord, writeAccess } from '../case.js';
import {
  createTeam,
  expectDeleted,
  expectRejected,
  expectUpdates,
  listIds,
  organizationPath,
} from '../write-operations.js';

const needs = [writeAccess, 'the scope read_teams', 'the scope view_teams', 'the scope write_teams'];

const teams = blackBoxCase('teams', ['spec 2.9', 'spec 4.5', 'decisions 9'], needs, async (service) => {
  const list = `${organizationPath(service)}/teams`;
  const created = await createTeam(service, { description: 'About' });
  const one = `${list}/${created.id}`;
  assert.deepEqual((await service.send('GET', one)).body, created);
  assert.ok((await listIds(service, list)).includes(created.id), 'the list has the team');
  await expectUpdates(service, one, created, [
    ['PATCH', { description: 'Other "text" \u{1f600}' }],
    ['PUT', { members_can_create_pipelines: true, default_member_role: 'maintainer' }],
  ]);
  const name = service.uniqueName();
  const renamed = await service.send('PATCH', one, { body: { name } });
  assert.deepEqual(
    [renamed.status, renamed.body.name, renamed.body.slug],
    [200, name, name],
    'the slug changes with the name',
  );
  await expectRejected(service, 'PATCH', one, [
    [{ name: ' ' }, "Validation failed: Name can't be blank"],
    [{ privacy: 'open' }, 'Validation failed: Privacy must be one of visible, secret'],
  ]);
  await expectDeleted(service, one, 'team');
  assert.ok(!(await listIds(service, list)).includes(created.id), 'the list no longer has the team');
});

/** What a team is given access to, with two values of its access level. */
interface Association {
  readonly kind: 'suite' | 'pipeline';
  readonly first: unknown;
  readonly second: unknown;
}

const associationCase = ({ kind, first, second }: Association): BlackBoxCase =>
  blackBoxCase(
    `team-${kind}s`,
    ['spec 2.10', 'spec 2.11', 'spec 4.6', 'spec 4.7', 'decisions 9'],
    [...needs, needsRecord(kind === 'suite' ? 'teamSuite' : 'teamPipeline')],
    async (service) => {
      const team = await createTeam(service);
      const { sampleRecords } = service;
      const id = (kind === 'suite' ? sampleRecords.teamSuite : sampleRecords.teamPipeline) ?? '';
      const list = `${organizationPath(service)}/teams/${team.id}/${kind}s`;
      const path = kind === 'suite' ? `${organizationPath(service)}/teams/${team.id}/suite/` : `${list}/`;
      const body = { [`${kind}_id`]: id, access_level: first };
      const created = await service.send('POST', path, { body });
      assert.deepEqual([created.status, created.body], [201, { ...created.body, ...body }]);
      assert.deepEqual((await service.send('GET', `${list}/${id}`)).body, created.body);
      assert.deepEqual((await service.send('GET', list)).body, [created.body]);
      const word = kind === 'suite' ? 'Suite' : 'Pipeline';
      await expectRejected(service, 'POST', path, [
        [body, `Validation failed: ${word} has already been added to this team`],
        [{ ...body, [`${kind}_id`]: '00000000-0000-0000-0000-000000000000' }, `Validation failed: ${word} must exist`],
      ]);
      await expectUpdates(service, `${list}/${id}`, created.body, [['PATCH', { access_level: second }]]);
      await expectDeleted(service, `${list}/${id}`, `team ${kind}`);
      assert.deepEqual((await service.send('GET', list)).body, []);
    },
  );

export const writingTeams: readonly BlackBoxCase[] = [
  teams,
  associationCase({ kind: 'suite', first: ['read'], second: ['read', 'edit'] }),
  associationCase({ kind: 'pipeline', first: 'read_only', second: 'build_and_read' }),
];
