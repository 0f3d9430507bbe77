import type { QueryRow } from '../model/index.js';
import type { Auth, Caller, Clock, Right, Storage } from '../ports/index.js';
import { formatTimestamp } from '../schema/timestamps.js';
import { membershipOf } from './membership.js';
import { accessTokenPrefix, digestOf, isWellFormed, sameDigest } from './token-format.js';

/** The auth port over the access tokens, members and teams in the storage: what an API uses unless the host brings its own. */
export function storedTokens(storage: Storage, clock: Clock): Auth {
  /** As long as a token is looked up as the same object, so is its caller: what is kept for it need not be kept for longer. */
  const callers = new WeakMap<TokenRow, Caller>();
  return {
    async identify(bearer) {
      if (!isWellFormed(accessTokenPrefix, bearer)) return undefined;
      const digest = digestOf(bearer);
      const [token] = await storage.select('accessToken.byDigest', { digest }, 1);
      if (!token || !sameDigest(token.digest, digest) || !isActive(token, clock)) return undefined;
      let caller = callers.get(token);
      if (!caller) {
        caller = callerOf(token);
        if (caller) callers.set(token, caller);
      }
      return caller;
    },

    async may(caller, right) {
      const organizationId = right.to === 'stop_agents' ? right.organization.id : right.pipeline.organization_id;
      const membership = membershipOf(caller, organizationId);
      if (!membership) return false;
      if (membership.role === 'admin') return true;
      if (right.to === 'edit_pipeline') return managesPipeline(caller, right, storage);
      return right.organization.pipelines_security && membership.permissions.includes('stop_agents');
    },
  };
}

type TokenRow = QueryRow<'accessToken.byDigest'>;

const isActive = (token: TokenRow, clock: Clock): boolean =>
  token.revoked_at === null && (token.expires_at === null || token.expires_at > formatTimestamp(clock.now()));

function callerOf(token: TokenRow): Caller | undefined {
  if (!token.user) return undefined;
  const limits = token.organization_ids;
  return {
    user: token.user,
    token,
    organizations: token.memberships.filter(
      ({ organization_id }) => limits === null || limits.includes(organization_id),
    ),
  };
}

/** Members of a team that manages the pipeline may edit it (decisions 2). */
async function managesPipeline(
  caller: Caller,
  { pipeline }: Right & { to: 'edit_pipeline' },
  storage: Storage,
): Promise<boolean> {
  const scope = { organization: pipeline.organization_id, user: caller.user.id };
  const memberships = await storage.select('teamMember.ofUser', scope, 1_000);
  const teams = memberships.map((membership) => membership.team_id);
  if (teams.length === 0) return false;
  const args = { teams, access_level: 'manage_build_and_read', pipeline: pipeline.id } as const;
  return (await storage.find('teamPipeline.ofTeams', args, { offset: 0, limit: 1 })).stamps.length > 0;
}
