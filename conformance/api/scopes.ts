/** Scopes of access tokens (spec 5.4). */
export const scopes = [
  'read_agents',
  'write_agents',
  'read_builds',
  'write_builds',
  'read_clusters',
  'write_clusters',
  'read_teams',
  'view_teams',
  'write_teams',
  'read_suites',
] as const;

export type Scope = (typeof scopes)[number];
