import { membershipOf } from '../auth/membership.js';
import { insert, merge, remove, replace } from '../commands/batch.js';
import { selectAll } from '../commands/select-all.js';
import { type ApiError, errors, isApiError } from '../errors/index.js';
import { uuidParameter } from '../http/parameters.js';
import { slugOf } from '../model/index.js';
import { audienceOf } from '../model/teams.js';
import { privacies, renderTeam, Team, teamRoles } from '../representations/team.js';
import { boolean, enumeration, looseObject, optional, string } from '../schema/schema.js';
import { command, list, type RequestContext, read } from './contract/operation.js';
import { nameField, omitUndefined } from './fields.js';

const path = '/v2/organizations/{organization}/teams';
const itemPath = `${path}/{team}` as const;

const fields = {
  name: nameField('Unique in the organization, as far as its slug goes'),
  description: string({ maxLength: 10_000 }),
  privacy: enumeration(privacies),
  is_default_team: boolean({ description: 'Whether new members of the organization join this team' }),
  default_member_role: enumeration(teamRoles),
  members_can_create_pipelines: boolean(),
};

const nameTaken = { 'team.slug': errors.teamNameTaken };

/** Ids of the teams that a user is a member of. */
async function teamsOf(
  user: string,
  { records, reader }: Pick<RequestContext<{ organization: { id: string } }>, 'records' | 'reader'>,
) {
  const memberships = await selectAll(reader, 'teamMember.ofUser', { organization: records.organization.id, user });
  return memberships.map((membership) => membership.team_id);
}

const listTeams = list({
  id: 'teams.list',
  summary: 'List teams',
  description: 'Secret teams are shown to their members and to admins only.',
  method: 'GET',
  path,
  scope: 'read_teams',
  query: { user_id: uuidParameter('Teams that have this user as a member') },
  item: Team,
  source: 'team.inOrganization',
  async where(context) {
    const { records, caller, query } = context;
    const isAdmin = membershipOf(caller, records.organization.id)?.role === 'admin';
    return {
      organization: records.organization.id,
      audience: isAdmin ? undefined : ['everyone', ...(await teamsOf(caller.user.id, context))],
      ids: query.user_id === undefined ? undefined : await teamsOf(query.user_id, context),
    };
  },
  render: (rows) => rows.map(renderTeam),
});

const get = read({
  id: 'teams.get',
  summary: 'Get a team',
  method: 'GET',
  path: itemPath,
  scope: 'view_teams',
  reply: Team,
  run: ({ records }) => renderTeam(records.team),
});

function slugFor(name: string): string | ApiError {
  return slugOf(name) ?? errors.teamNameWithoutSlug();
}

/** The creator does not become a member of the team (decisions 12). */
const create = command({
  id: 'teams.create',
  summary: 'Create a team',
  method: 'POST',
  path,
  scope: 'write_teams',
  status: 201,
  body: looseObject(fields),
  reply: Team,
  errors: ['team.name_taken', 'team.name_without_slug'],
  command: {
    load: async ({ records }) => records.organization,
    ids: () => 1,
    duplicates: nameTaken,
    decide(organization, { input, caller, now, ids: [id = ''] }) {
      const slug = slugFor(input.name);
      if (isApiError(slug)) return slug;
      const team = {
        id,
        version: 1,
        organization_id: organization.id,
        slug,
        name: input.name,
        description: input.description,
        privacy: input.privacy,
        audience: audienceOf(input.privacy, id),
        is_default_team: input.is_default_team,
        default_member_role: input.default_member_role,
        members_can_create_pipelines: input.members_can_create_pipelines,
        created_at: now,
        created_by_id: caller?.user.id ?? null,
      };
      return { batch: merge({ insert: [insert('team', team)] }), reply: team };
    },
  },
  render: (team, { caller }) => renderTeam({ ...team, created_by: caller.user }),
});

/** Partial, since clients depend on it (decisions 12); the slug follows the name. */
const update = command({
  id: 'teams.update',
  summary: 'Update a team',
  description: 'What is not sent stays as it is.',
  method: 'PATCH',
  alsoMethods: ['PUT'],
  path: itemPath,
  scope: 'write_teams',
  status: 200,
  body: looseObject({
    name: optional(fields.name),
    description: optional(fields.description),
    privacy: optional(fields.privacy),
    is_default_team: optional(fields.is_default_team),
    default_member_role: optional(fields.default_member_role),
    members_can_create_pipelines: optional(fields.members_can_create_pipelines),
  }),
  reply: Team,
  errors: ['team.name_taken', 'team.name_without_slug'],
  command: {
    load: async ({ records }) => records.team,
    duplicates: nameTaken,
    decide(team, { input }) {
      const changes = { ...team, ...omitUndefined(input) };
      // Only a rename changes the slug: a team that the host provisioned may have one of its own.
      const slug = changes.name === team.name ? team.slug : slugFor(changes.name);
      if (isApiError(slug)) return slug;
      const changed = { ...changes, slug, audience: audienceOf(changes.privacy, team.id) };
      return { batch: merge({ replace: [replace('team', changed)] }), reply: changed };
    },
  },
  render: (team) => renderTeam(team),
});

const destroy = command({
  id: 'teams.delete',
  summary: 'Delete a team',
  method: 'DELETE',
  path: itemPath,
  scope: 'write_teams',
  status: 204,
  command: {
    async load({ records, reader }) {
      const [members, pipelines, suites] = await Promise.all([
        selectAll(reader, 'teamMember.ofTeam', { team: records.team.id }),
        selectAll(reader, 'teamPipeline.ofTeams', { teams: [records.team.id] }),
        selectAll(reader, 'teamSuite.ofTeam', { team: records.team.id }),
      ]);
      return { team: records.team, members, pipelines, suites };
    },
    decide: ({ team, members, pipelines, suites }) => ({
      batch: merge({
        remove: [
          remove('team', team),
          ...members.map((member) => remove('teamMember', member)),
          ...pipelines.map((association) => remove('teamPipeline', association)),
          ...suites.map((association) => remove('teamSuite', association)),
        ],
      }),
      reply: null,
    }),
  },
});

/** Teams (spec 4.5). */
export const teams = [listTeams, get, create, update, destroy];
