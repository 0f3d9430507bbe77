import type { Caller, Membership } from '../ports/index.js';

/** The membership that lets a caller use an organization; undefined where there is none. */
export const membershipOf = (caller: Caller, organizationId: string): Membership | undefined =>
  caller.organizations.find((membership) => membership.organization_id === organizationId);
