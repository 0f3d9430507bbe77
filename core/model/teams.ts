import { flag, id, json, nullable, text, time } from './column.js';
import { entity } from './entity.js';

export type Privacy = 'visible' | 'secret';
export type TeamRole = 'member' | 'maintainer';
export type PipelineAccess = 'read_only' | 'build_and_read' | 'manage_build_and_read';
export type SuiteAccess = 'read' | 'edit';

export const team = entity(
  {
    organization_id: id(),
    slug: text(),
    name: text(),
    description: text(),
    privacy: text<Privacy>(),
    /** `everyone`, or the id of the team, which only its members and admins may see. Derived from the privacy. */
    audience: text(),
    is_default_team: flag(),
    default_member_role: text<TeamRole>(),
    members_can_create_pipelines: flag(),
    created_at: time(),
    created_by_id: nullable(id()),
  },
  { slug: ['organization_id', 'slug'] },
);

export const teamMember = entity(
  { organization_id: id(), team_id: id(), user_id: id(), role: text<TeamRole>(), created_at: time() },
  { user: ['team_id', 'user_id'] },
);

export const teamPipeline = entity(
  {
    organization_id: id(),
    team_id: id(),
    pipeline_id: id(),
    access_level: text<PipelineAccess>(),
    created_at: time(),
  },
  { pipeline: ['team_id', 'pipeline_id'] },
);

export const suite = entity(
  {
    organization_id: id(),
    slug: text(),
    name: text(),
    default_branch: nullable(text()),
    /** The collector that reports to the suite, such as `ruby`. Null if unknown (spec 4.8). */
    collector: nullable(text()),
    created_at: time(),
  },
  { slug: ['organization_id', 'slug'] },
);

export const teamSuite = entity(
  {
    organization_id: id(),
    team_id: id(),
    suite_id: id(),
    access_level: json<readonly SuiteAccess[]>(),
    created_at: time(),
  },
  { suite: ['team_id', 'suite_id'] },
);

/** Only members and admins see a secret team (decisions 2). */
export const audienceOf = (privacy: Privacy, teamId: string): string => (privacy === 'visible' ? 'everyone' : teamId);
