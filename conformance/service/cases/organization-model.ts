import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Case } from '../../case.js';
import { propertyParameters } from '../../property-settings.js';
import { clusterCommands } from '../models/cluster-commands.js';
import { commandCounter } from '../models/command-counter.js';
import type { PlanCommand } from '../models/model-command.js';
import { type OrganizationModel, organizationFromRecords } from '../models/organization-model.js';
import { teamCommands } from '../models/team-commands.js';
import { fetchRecords, type RenderedRecord } from '../records.js';
import { type Fixture, type Service, type ServiceHarness, withService } from '../service.js';

const commandPlanners: Readonly<Record<string, PlanCommand>> = { ...clusterCommands, ...teamCommands };

const chosen = fc.record({
  name: fc.constantFrom(...Object.keys(commandPlanners)),
  draw: fc.record({
    first: fc.nat({ max: 11 }),
    second: fc.nat({ max: 11 }),
    name: fc.constantFrom('One', 'Two', 'Three', 'one'),
    text: fc.option(fc.constantFrom('', 'Some text')),
    flag: fc.boolean(),
  }),
});

const at = { organization: 'acme' };

/** An organization without clusters and teams, but with suites and pipelines for teams. */
const fixture: Fixture = {
  organizations: [{ slug: 'acme' }],
  users: [{ name: 'Admin', email: 'admin@acme.test', organizations: [{ ...at, role: 'admin' }] }],
  access_tokens: [{ user: 'admin@acme.test' }],
  pipelines: ['one', 'two', 'three'].map((slug) => ({ ...at, slug, repository: `git@acme.test:${slug}.git` })),
  suites: ['one', 'two', 'three'].map((slug) => ({ ...at, slug })),
};

/** The ids of the pipelines and suites of the fixture, read through a team that has access to all of them. */
async function fetchAccessibleIds(service: Service): Promise<Pick<OrganizationModel, 'suites' | 'pipelines'>> {
  const { id } = await service.api.provision.team({
    ...at,
    name: 'All',
    pipelines: (fixture.pipelines ?? []).map(({ slug }) => ({ pipeline: slug, access_level: 'read_only' })),
    suites: (fixture.suites ?? []).map(({ slug }) => ({ suite: slug, access_level: ['read'] })),
  });
  const [team] = (await fetchRecords(service, 'acme')).teams;
  await service.send('DELETE', `/v2/organizations/acme/teams/${id}`);
  return {
    suites: team.suites.map((one: RenderedRecord) => one.suite_id),
    pipelines: team.pipelines.map((one: RenderedRecord) => one.pipeline_id),
  };
}

/** Compares clusters, teams and their records with the model: the outcome of every command, and all lists after it. */
const organizations: Case<ServiceHarness> = {
  id: 'models.clusters-and-teams',
  cites: 'spec 3.3, spec 4.3, spec 4.4, spec 4.5, spec 4.6, spec 4.7, decisions 8, decisions 9',
  run: (harness) =>
    fc.assert(
      fc.asyncProperty(fc.array(chosen, { minLength: 50, maxLength: 80, size: 'max' }), (commands) =>
        withService(harness, fixture, async (service) => {
          const model: OrganizationModel = { clusters: [], teams: [], ...(await fetchAccessibleIds(service)) };
          for (const { name, draw } of commands) {
            const planned = commandPlanners[name]?.(model, draw);
            if (planned === undefined) continue;
            commandCounter.count += 1;
            service.clock.advance(1);
            const { method, path, body, expectedError } = planned;
            const response = await service.send(method, `/v2/organizations/acme${path}`, body ? { body } : {});
            const what = `${name} ${JSON.stringify(draw)}`;
            if (expectedError)
              assert.deepEqual(
                [response.status, response.body],
                [expectedError[0], { message: expectedError[1] }],
                what,
              );
            else {
              assert.ok(response.status < 300, `${what}: ${response.text}`);
              planned.apply(response.body);
            }
            const { suites: _, pipelines: __, ...expected } = model;
            assert.deepEqual(organizationFromRecords(await fetchRecords(service, 'acme')), expected, what);
          }
        }),
      ),
      propertyParameters(12),
    ),
};

export const organizationModelCases = [organizations];
