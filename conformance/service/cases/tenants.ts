import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type Operation,
  operations,
  type PathParameter,
  pathParameters,
  placeholdersOf,
  type Schema,
} from '../../api/index.js';
import type { Case } from '../../case.js';
import { propertyParameters } from '../../property-settings.js';
import { exampleBodies, examplePathParams } from '../example-values.js';
import { mergeFixtures, organizationFixture } from '../fixture.js';
import { fetchRecords, type OrganizationRecords, type RenderedRecord, snapshot } from '../records.js';
import { type Service, type ServiceHarness, withService } from '../service.js';

const own = 'acme';
const other = 'rivals';
const twoOrganizations = mergeFixtures(organizationFixture(own), organizationFixture(other));
const unknownId = '0190a000-0000-7000-8000-000000000000';

/** All operations except the one that would revoke the token of the case. */
const reachable = operations.filter((operation) => operation.id !== 'accessToken.revoke');

const fillPath = (path: string, pathParams: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(pathParams[name] ?? name));

const ids = (
  records: readonly RenderedRecord[],
  of: (record: RenderedRecord) => readonly RenderedRecord[],
  field = 'id',
): string[] => records.flatMap(of).map((record) => record[field]);

/** The values of each path parameter in one organization. */
function valuesOf({
  organization,
  agents,
  clusters,
  teams,
}: OrganizationRecords): Record<PathParameter, readonly string[]> {
  return {
    organization: [organization],
    pipeline: ['web', 'deploy'],
    build: ['1', '2'],
    agent: agents.map((agent) => agent.id),
    cluster: clusters.map((cluster) => cluster.id),
    queue: ids(clusters, (cluster) => cluster.queues),
    agentToken: ids(clusters, (cluster) => cluster.tokens),
    team: teams.map((team) => team.id),
    teamSuite: ids(teams, (team) => team.suites, 'suite_id'),
    teamPipeline: ids(teams, (team) => team.pipelines, 'pipeline_id'),
    suite: [`${organization}-suite`, `${organization}-other`],
  };
}

const stateless = ['organization', 'pipeline', 'build', 'suite'];

/** Values for every path parameter: of both organizations, and unknown ones. */
function allValues(
  ownRecords: OrganizationRecords,
  foreignRecords: OrganizationRecords,
): Record<string, readonly string[]> {
  const [one, two] = [valuesOf(ownRecords), valuesOf(foreignRecords)];
  return Object.fromEntries(
    (Object.keys(pathParameters) as PathParameter[]).map((name) => [
      name,
      [...one[name], ...two[name], 'x', stateless.includes(name) ? 'nothing' : unknownId],
    ]),
  );
}

const targetOf = (operation: Operation, values: Readonly<Record<string, readonly string[]>>) =>
  fc
    .tuple(
      fc.constantFrom(operation.path, ...(operation.alsoPaths ?? [])),
      fc.record(Object.fromEntries(Object.entries(values).map(([name, all]) => [name, fc.constantFrom(...all)]))),
      fc.constantFrom('', '?per_page=100', '?state=passed', '?include_retried_jobs=1', '?search=e&branch=main'),
    )
    .map(([path, chosen, query]) => fillPath(path, chosen) + query);

/** The documented fields of bodies and queries that hold ids. */
const idFields = (operation: Operation): string[] =>
  operation.form === 'command'
    ? Object.entries((operation.body?.properties ?? {}) as Record<string, Schema>).flatMap(([name, { type }]) =>
        name.endsWith('_id') && [type].flat().includes('string') ? [name] : [],
      )
    : [];

/** All texts of the records of the other organization contain its slug. No response may contain it. */
const isolation: Case<ServiceHarness> = {
  id: 'tenants.no-byte-of-another',
  cites: 'spec 5.2, decisions 2',
  run: (harness) =>
    withService(harness, twoOrganizations, async (service) => {
      const [ownRecords, foreignRecords] = await Promise.all([
        fetchRecords(service, own),
        fetchRecords(service, other),
      ]);
      const values = allValues(ownRecords, foreignRecords);
      const foreign = [...new Set(JSON.stringify(foreignRecords).match(uuids) ?? [])];
      const bodies = exampleBodies(ownRecords);
      const before = await snapshot(service, other);
      await fc.assert(
        fc.asyncProperty(
          fc
            .constantFrom(...reachable)
            .chain((operation) => fc.tuple(fc.constant(operation), targetOf(operation, values))),
          fc.constantFrom('admin', 'member', 'stopper'),
          fc.constantFrom(...foreign),
          async ([operation, target], who, id) => {
            const token = service.tokens[`${who}@${own}.test`] ?? null;
            const theirIds = Object.fromEntries(idFields(operation).map((field) => [field, id]));
            const body = operation.method === 'GET' ? undefined : { ...bodies[operation.id], ...theirIds };
            const response = await service.send(operation.method, target, { token, ...(body ? { body } : {}) });
            const text = response.text.replace(`${operation.method} ${target.split('?')[0]}`, '');
            assert.ok(!text.includes(other), `${operation.method} ${target} shows ${other}: ${text.slice(0, 300)}`);
            for (const one of foreign)
              assert.ok(!text.includes(one), `${operation.method} ${target} shows ${one} of ${other}`);
            if (target.includes(`/organizations/${other}`)) {
              assert.equal(response.status, 404);
              assert.deepEqual(response.body, { message: 'No organization found' });
            }
          },
        ),
        propertyParameters(600),
      );
      assert.equal(await snapshot(service, other), before, 'the other organization is unchanged');
    }),
};

const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Values for one path parameter that name existing records, but not of the records earlier in the path. */
function foreignValues(
  name: PathParameter,
  right: string,
  ownRecords: OrganizationRecords,
  foreignRecords: OrganizationRecords,
): string[] {
  const [one, two] = [valuesOf(ownRecords), valuesOf(foreignRecords)];
  if (stateless.includes(name)) return name === 'organization' || name === 'suite' ? [...two[name]] : [];
  const elsewhere =
    name === 'agent' || name === 'cluster' || name === 'team' ? [] : one[name].filter((id) => id !== right);
  const kindred = name === 'cluster' ? one.team : one.cluster;
  return [...elsewhere, ...two[name], ...kindred, unknownId];
}

/** Remembers all records of both organizations; the function that it gives back fails if any of them has changed since. */
async function watchRecords(service: Service): Promise<(who: string) => Promise<void>> {
  const look = async () => [await snapshot(service, own), await snapshot(service, other)];
  const before = await look();
  return async (who) => assert.deepEqual(await look(), before, `${who} has changed records`);
}

/** Valid requests except for one parameter, which names a record of the other organization or of another parent. */
const paths: Case<ServiceHarness> = {
  id: 'tenants.misplaced-in-the-path',
  cites: 'spec 5.2, decisions 2',
  run: (harness) =>
    withService(harness, twoOrganizations, async (service) => {
      const [ownRecords, foreignRecords] = await Promise.all([
        fetchRecords(service, own),
        fetchRecords(service, other),
      ]);
      const expectUnchanged = await watchRecords(service);
      for (const operation of reachable) {
        const pathParams = examplePathParams(operation.id, ownRecords);
        const body = exampleBodies(ownRecords)[operation.id];
        for (const name of placeholdersOf(operation.path)) {
          const siblings =
            name === 'queue' ? ownRecords.clusters.find((one) => one.id === pathParams.cluster)?.queues : [];
          const here = (siblings ?? []).map((one: RenderedRecord) => one.id);
          const wrong = foreignValues(name, pathParams[name] ?? '', ownRecords, foreignRecords).filter(
            (id) => !here.includes(id),
          );
          for (const value of wrong) {
            const target = fillPath(operation.path, { ...pathParams, [name]: value });
            const response = await service.send(operation.method, target, body ? { body } : {});
            const wanted = { message: `No ${pathParameters[name]} found` };
            assert.deepEqual([response.status, response.body], [404, wanted], `${operation.method} ${target}`);
          }
        }
        if (operation.form === 'command') await expectUnchanged(operation.id);
      }
      await expectUnchanged('a read');
    }),
};

/** Requests with ids in bodies and queries that name records of the other organization, or of another kind. */
const bodies: Case<ServiceHarness> = {
  id: 'tenants.misplaced-in-the-body',
  cites: 'decisions 2, decisions 8, decisions 9',
  run: (harness) =>
    withService(harness, twoOrganizations, async (service) => {
      const [ownRecords, foreignRecords] = await Promise.all([
        fetchRecords(service, own),
        fetchRecords(service, other),
      ]);
      const foreign = Object.values(valuesOf(foreignRecords)).flat();
      let checked = 0;
      const expectUnchanged = await watchRecords(service);
      for (const operation of reachable) {
        for (const field of idFields(operation)) {
          const paths = [operation.path, ...(operation.alsoPaths ?? [])];
          const path = operation.id === 'teamPipelines.delete' ? (operation.alsoPaths?.[0] ?? '') : (paths[0] ?? '');
          const target = fillPath(path, examplePathParams(operation.id, ownRecords));
          for (const id of [...foreign, unknownId, ownRecords.organization, ownRecords.teams[0]?.id]) {
            const body = { ...exampleBodies(ownRecords)[operation.id], [field]: id };
            const query = operation.query?.[field] ? [`${target}?${field}=${encodeURIComponent(id)}`] : [];
            for (const [at, sent] of [[target, body], ...query.map((one) => [one, {}])] as const) {
              const response = await service.send(operation.method, at as string, { body: sent });
              assert.ok([404, 422].includes(response.status), `${operation.id} ${field} ${id}: ${response.status}`);
              checked += 1;
            }
          }
          await expectUnchanged(`${operation.id} with ${field}`);
        }
      }
      assert.ok(checked > 50);
    }),
};

export const tenants = [isolation, paths, bodies];
