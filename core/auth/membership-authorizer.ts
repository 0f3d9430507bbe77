import type { Authorizer, Caller, Reader, Right } from '../ports/index.js';
import { membershipOf } from './membership.js';

/**
 * The default policy (decisions 2): admins of the organization may do everything; members may stop agents where the
 * organization has pipeline security and gives them the permission, and may edit the pipelines that a team of theirs manages.
 */
export function membershipAuthorizer(storage: Pick<Reader, 'select' | 'find'>): Authorizer {
  return {
    async isAllowed(caller, right) {
      const organizationId = right.to === 'stop_agents' ? right.organization.id : right.pipeline.organization_id;
      const membership = membershipOf(caller, organizationId);
      if (!membership) return false;
      if (membership.role === 'admin') return true;
      if (right.to === 'edit_pipeline') return managesPipeline(caller, right, storage);
      return right.organization.pipelines_security && membership.permissions.includes('stop_agents');
    },
  };
}

/** Members of a team that manages the pipeline may edit it (decisions 2). */
async function managesPipeline(
  caller: Caller,
  { pipeline }: Right & { to: 'edit_pipeline' },
  storage: Pick<Reader, 'select' | 'find'>,
): Promise<boolean> {
  const scope = { organization: pipeline.organization_id, user: caller.user.id };
  const memberships = await storage.select('teamMember.ofUser', scope, 1_000);
  const teams = memberships.map((membership) => membership.team_id);
  if (teams.length === 0) return false;
  const args = { teams, access_level: 'manage_build_and_read', pipeline: pipeline.id } as const;
  return (await storage.find('teamPipeline.ofTeams', args, { offset: 0, limit: 1 })).stamps.length > 0;
}
