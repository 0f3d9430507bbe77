import { insert, merge, reference, remove, replace } from '../commands/batch.js';
import { type ApiError, errors, isApiError } from '../errors/index.js';
import type { SuiteAccess } from '../model/index.js';
import { renderTeamSuite, suiteAccess, TeamSuite } from '../representations/team.js';
import { looseObject, type Schema, string } from '../schema/schema.js';
import { isUuid } from '../schema/uuid.js';
import { command, list, read } from './contract/operation.js';

const path = '/v2/organizations/{organization}/teams/{team}/suites';
const itemPath = `${path}/{teamSuite}` as const;

/** An array, or a lone string (decisions 9). */
const accessLevel = {
  anyOf: [
    { type: 'array', items: { type: 'string', enum: suiteAccess }, maxItems: 100 },
    { type: 'string', enum: suiteAccess },
  ],
  reason: 'must be made of read and edit',
} as Schema<SuiteAccess | readonly SuiteAccess[]>;

/** The levels once each, in the order read, edit. */
function normalizeLevels(given: SuiteAccess | readonly SuiteAccess[]): readonly SuiteAccess[] | ApiError {
  const levels = suiteAccess.filter((level) => given === level || given.includes(level));
  return levels.length > 0 ? levels : errors.teamSuiteWithoutAccess();
}

const listSuites = list({
  id: 'teamSuites.list',
  summary: "List a team's suites",
  description: 'All of them, unless `page` or `per_page` is sent.',
  method: 'GET',
  path,
  scope: 'view_teams',
  item: TeamSuite,
  unpaged: true,
  source: 'teamSuite.ofTeam',
  where: ({ records }) => ({ team: records.team.id }),
  render: (rows, { records, links }) => rows.map((row) => renderTeamSuite(row, records.organization.slug, links)),
});

const get = read({
  id: 'teamSuites.get',
  summary: "Get a team's suite",
  method: 'GET',
  path: itemPath,
  scope: 'view_teams',
  reply: TeamSuite,
  run: ({ records, links }) => renderTeamSuite(records.teamSuite, records.organization.slug, links),
});

const create = command({
  id: 'teamSuites.create',
  summary: 'Add a suite to a team',
  method: 'POST',
  path: '/v2/organizations/{organization}/teams/{team}/suite',
  alsoPaths: [path],
  scope: 'write_teams',
  status: 201,
  body: looseObject({
    suite_id: string({ description: 'Id of a suite of the organization' }),
    access_level: accessLevel,
  }),
  reply: TeamSuite,
  errors: ['team_suite.unknown_suite', 'team_suite.already_added', 'team_suite.blank_access_level'],
  command: {
    async load({ records, input, reader }) {
      const [suite] = isUuid(input.suite_id) ? await reader.load('suite.bySlug', [input.suite_id.toLowerCase()]) : [];
      if (suite?.organization_id !== records.organization.id) return errors.teamSuiteUnknown();
      return { team: records.team, suite };
    },
    ids: () => 1,
    duplicates: { 'teamSuite.suite': errors.teamSuiteTaken },
    decide({ team, suite }, { input, now, ids: [id = ''] }) {
      const levels = normalizeLevels(input.access_level);
      if (isApiError(levels)) return levels;
      const association = {
        id,
        version: 1,
        organization_id: team.organization_id,
        team_id: team.id,
        suite_id: suite.id,
        access_level: levels,
        created_at: now,
      };
      // Touches the team: deleting it at the same time then conflicts, and loads its suites again.
      return {
        batch: merge({ touch: [reference('team', team)], insert: [insert('teamSuite', association)] }),
        reply: { ...association, suite },
      };
    },
  },
  render: (association, { records, links }) => renderTeamSuite(association, records.organization.slug, links),
});

const update = command({
  id: 'teamSuites.update',
  summary: "Change a team's access to a suite",
  method: 'PATCH',
  alsoMethods: ['PUT'],
  path: itemPath,
  scope: 'write_teams',
  status: 200,
  body: looseObject({ access_level: accessLevel }),
  reply: TeamSuite,
  errors: ['team_suite.blank_access_level'],
  command: {
    load: async ({ records }) => records.teamSuite,
    decide(association, { input }) {
      const access_level = normalizeLevels(input.access_level);
      if (isApiError(access_level)) return access_level;
      return {
        batch: merge({ replace: [replace('teamSuite', association, { access_level })] }),
        reply: { ...association, access_level },
      };
    },
  },
  render: (association, { records, links }) => renderTeamSuite(association, records.organization.slug, links),
});

const destroy = command({
  id: 'teamSuites.delete',
  summary: 'Remove a suite from a team',
  method: 'DELETE',
  path: itemPath,
  scope: 'write_teams',
  status: 204,
  command: {
    load: async ({ records }) => records.teamSuite,
    decide: (association) => ({ batch: merge({ remove: [remove('teamSuite', association)] }), reply: null }),
  },
});

/** Team suites (spec 4.6). */
export const teamSuites = [listSuites, get, create, update, destroy];
