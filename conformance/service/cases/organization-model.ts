import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Case } from '../../case.js';
import { trying } from '../../settings.js';
import { carriedOut } from '../models/carried-out.js';
import { clusterMoves } from '../models/cluster-moves.js';
import type { Plan } from '../models/move.js';
import { type Organization, shownOrganization } from '../models/organization.js';
import { teamMoves } from '../models/team-moves.js';
import { recordsOf, type Shown } from '../records.js';
import { type Fixture, type Service, type ServiceHarness, withService } from '../service.js';

const moves: Readonly<Record<string, Plan>> = { ...clusterMoves, ...teamMoves };

const chosen = fc.record({
  move: fc.constantFrom(...Object.keys(moves)),
  draw: fc.record({
    first: fc.nat({ max: 11 }),
    second: fc.nat({ max: 11 }),
    name: fc.constantFrom('One', 'Two', 'Three', 'one'),
    text: fc.option(fc.constantFrom('', 'Some text')),
    flag: fc.boolean(),
  }),
});

const at = { organization: 'acme' };

/** An organization without clusters and teams, but with what teams can have access to. */
const fixture: Fixture = {
  organizations: [{ slug: 'acme' }],
  users: [{ name: 'Admin', email: 'admin@acme.test', organizations: [{ ...at, role: 'admin' }] }],
  access_tokens: [{ user: 'admin@acme.test' }],
  pipelines: ['one', 'two', 'three'].map((slug) => ({ ...at, slug, repository: `git@acme.test:${slug}.git` })),
  suites: ['one', 'two', 'three'].map((slug) => ({ ...at, slug })),
};

/** The ids that the fixture's pipelines and suites have got: told by a team that has access to all of them. */
async function accessible(service: Service): Promise<Pick<Organization, 'suites' | 'pipelines'>> {
  const { id } = await service.api.host.provision.team({
    ...at,
    name: 'All',
    pipelines: (fixture.pipelines ?? []).map(({ slug }) => ({ pipeline: slug, access_level: 'read_only' })),
    suites: (fixture.suites ?? []).map(({ slug }) => ({ suite: slug, access_level: ['read'] })),
  });
  const [team] = (await recordsOf(service, 'acme')).teams;
  await service.send('DELETE', `/v2/organizations/acme/teams/${id}`);
  return {
    suites: team.suites.map((one: Shown) => one.suite_id),
    pipelines: team.pipelines.map((one: Shown) => one.pipeline_id),
  };
}

/** Clusters and teams with all that belongs to them against the model: every outcome, and all lists after every command. */
const organizations: Case<ServiceHarness> = {
  id: 'models.clusters-and-teams',
  cites: 'spec 3.3, spec 4.3, spec 4.4, spec 4.5, spec 4.6, spec 4.7, decisions 8, decisions 9',
  run: (harness) =>
    fc.assert(
      fc.asyncProperty(fc.array(chosen, { minLength: 50, maxLength: 80, size: 'max' }), (commands) =>
        withService(harness, fixture, async (service) => {
          const model: Organization = { clusters: [], teams: [], ...(await accessible(service)) };
          for (const { move, draw } of commands) {
            const planned = moves[move]?.(model, draw);
            if (planned === undefined) continue;
            carriedOut.commands += 1;
            service.clock.advance(1);
            const { method, path, body, refused } = planned;
            const answer = await service.send(method, `/v2/organizations/acme${path}`, body ? { body } : {});
            const what = `${move} ${JSON.stringify(draw)}`;
            if (refused) assert.deepEqual([answer.status, answer.body], [refused[0], { message: refused[1] }], what);
            else {
              assert.ok(answer.status < 300, `${what}: ${answer.text}`);
              planned.apply(answer.body);
            }
            const { suites: _, pipelines: __, ...known } = model;
            assert.deepEqual(shownOrganization(await recordsOf(service, 'acme')), known, what);
          }
        }),
      ),
      trying(12),
    ),
};

export const organizationModel = [organizations];
