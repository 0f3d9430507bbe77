import type { QueryRow } from '../model/index.js';
import {
  array,
  boolean,
  enumeration,
  type Infer,
  nullable,
  strictObject,
  string,
  timestamp,
  url,
  uuid,
} from '../schema/schema.js';
import { graphqlId, type Links } from './links.js';
import { renderUserOrNull, User, type WithUsers } from './user.js';

export const privacies = ['visible', 'secret'] as const;
export const teamRoles = ['member', 'maintainer'] as const;
export const pipelineAccess = ['read_only', 'build_and_read', 'manage_build_and_read'] as const;
export const suiteAccess = ['read', 'edit'] as const;

/** A team (spec 2.9), including the properties that clients submit, with the same names (decisions 12). */
export const Team = strictObject(
  {
    id: uuid(),
    graphql_id: string(),
    name: string(),
    slug: string(),
    description: string(),
    privacy: enumeration(privacies),
    default: boolean({ description: 'Whether users join this team by default' }),
    is_default_team: boolean({ description: 'The same as `default`' }),
    default_member_role: enumeration(teamRoles),
    members_can_create_pipelines: boolean(),
    created_at: timestamp(),
    created_by: nullable(User),
  },
  { title: 'Team', description: 'A team of users' },
);
export type Team = Infer<typeof Team>;

export const renderTeam = (team: WithUsers<QueryRow<'team.inOrganization'>, 'created_by'>): Team => ({
  id: team.id,
  graphql_id: graphqlId('Team', team.id),
  name: team.name,
  slug: team.slug,
  description: team.description,
  privacy: team.privacy,
  default: team.is_default_team,
  is_default_team: team.is_default_team,
  default_member_role: team.default_member_role,
  members_can_create_pipelines: team.members_can_create_pipelines,
  created_at: team.created_at,
  created_by: renderUserOrNull(team.created_by),
});

/** The association of a team with a suite (spec 2.10). */
export const TeamSuite = strictObject(
  { suite_id: uuid(), suite_url: url(), created_at: timestamp(), access_level: array(enumeration(suiteAccess)) },
  { title: 'TeamSuite', description: "A team's access to a test suite" },
);

export const renderTeamSuite = (
  association: QueryRow<'teamSuite.ofTeam'>,
  organization: string,
  links: Links,
): Infer<typeof TeamSuite> => ({
  suite_id: association.suite_id,
  suite_url: links.suite(organization, association.suite?.slug ?? association.suite_id).url,
  created_at: association.created_at,
  access_level: association.access_level,
});

/** The association of a team with a pipeline (spec 2.11). */
export const TeamPipeline = strictObject(
  { pipeline_id: uuid(), pipeline_url: url(), created_at: timestamp(), access_level: enumeration(pipelineAccess) },
  { title: 'TeamPipeline', description: "A team's access to a pipeline" },
);

export const renderTeamPipeline = (
  association: QueryRow<'teamPipeline.ofTeams'>,
  organization: string,
  links: Links,
): Infer<typeof TeamPipeline> => ({
  pipeline_id: association.pipeline_id,
  pipeline_url: links.pipeline(organization, association.pipeline?.slug ?? association.pipeline_id).url,
  created_at: association.created_at,
  access_level: association.access_level,
});
