import { arrayOf, flag, object, oneOf, orNull, text, timestamp, url, uuid } from '../schema.js';
import { User } from './user.js';

/** A team (spec 2.9). */
export const Team = object({
  id: uuid,
  graphql_id: text,
  name: text,
  slug: text,
  description: text,
  privacy: oneOf('visible', 'secret'),
  default: flag,
  is_default_team: flag,
  default_member_role: oneOf('member', 'maintainer'),
  members_can_create_pipelines: flag,
  created_at: timestamp,
  created_by: orNull(User),
});

/** The access of a team to a suite (spec 2.10). */
export const TeamSuite = object({
  suite_id: uuid,
  suite_url: url,
  created_at: timestamp,
  access_level: arrayOf(oneOf('read', 'edit')),
});

/** The access of a team to a pipeline (spec 2.11). */
export const TeamPipeline = object({
  pipeline_id: uuid,
  pipeline_url: url,
  created_at: timestamp,
  access_level: oneOf('read_only', 'build_and_read', 'manage_build_and_read'),
});
