import { storedTokens } from '../../core/auth/stored-tokens.js';
import { agentTokenPrefix, digestOf, isWellFormed } from '../../core/auth/token-text.js';
import { scopes } from '../../core/contract/operation.js';
import type { Auth, Caller, Membership, Storage } from '../../core/index.js';
import { over } from '../service/storages.js';
import { auth, type ServiceFault } from './fault.js';

/** The good auth port, with what it says of callers changed. */
const calling = (
  name: string,
  change: (caller: Caller, storage: Storage, target: string) => Promise<Partial<Caller>>,
) =>
  auth(name, ({ storage, clock }) => {
    const good = storedTokens(storage, clock);
    return {
      may: (caller, right) => good.may(caller, right),
      async identify(bearer, request) {
        const caller = await good.identify(bearer, request);
        return caller && { ...caller, ...(await change(caller, storage, request.target)) };
      },
    };
  });

/** The good auth port, with the token's row as it reads it changed. */
const reading = (name: string, change: object) =>
  auth(name, ({ storage, clock }) =>
    storedTokens(
      over(storage, {
        select: async (query, args, limit) => {
          const rows = await storage.select(query, args, limit);
          return query === 'accessToken.byDigest' ? rows.map((row) => ({ ...row, ...change })) : rows;
        },
      }),
      clock,
    ),
  );

const granting = (name: string, may: (good: Auth) => Auth['may']) =>
  auth(name, ({ storage, clock }) => {
    const good = storedTokens(storage, clock);
    return { identify: (bearer, request) => good.identify(bearer, request), may: may(good) };
  });

const withScopes = (name: string, grants: (held: readonly string[], scope: string) => boolean) =>
  calling(name, async ({ token }) => ({
    token: { ...token, scopes: scopes.filter((scope) => token.scopes.includes(scope) || grants(token.scopes, scope)) },
  }));

const withMemberships = (name: string, change: (membership: Membership) => Partial<Membership>) =>
  calling(name, async ({ organizations }) => ({
    organizations: organizations.map((membership) => ({ ...membership, ...change(membership) })),
  }));

/** Mistakes of those who bring an auth port of their own. */
export const authFaults: readonly ServiceFault[] = [
  auth('ignores that tokens expire', ({ storage, clock }) => storedTokens(storage, { ...clock, now: () => 0 })),
  auth('lets tokens live a second longer', ({ storage, clock }) =>
    storedTokens(storage, { ...clock, now: () => clock.now() - 1_000 }),
  ),
  reading('ignores that tokens are revoked', { revoked_at: null }),
  reading('ignores what a token is limited to', { organization_ids: null }),
  auth('remembers callers for ever', ({ storage, clock }) => {
    const good = storedTokens(storage, clock);
    const known = new Map<string, Caller>();
    return {
      may: (caller, right) => good.may(caller, right),
      async identify(bearer, request) {
        const caller = known.get(bearer) ?? (await good.identify(bearer, request));
        if (caller) known.set(bearer, caller);
        return caller;
      },
    };
  }),
  auth('takes agent tokens as well', ({ storage, clock }) => {
    const good = storedTokens(storage, clock);
    return {
      may: (caller, right) => good.may(caller, right),
      async identify(bearer, request) {
        if (!isWellFormed(agentTokenPrefix, bearer)) return good.identify(bearer, request);
        const [token] = await storage.select('agentToken.byDigest', { digest: digestOf(bearer) }, 1);
        const [user] = await storage.load('user.byEmail', token?.created_by_id ? [token.created_by_id] : []);
        return token && user && { user, token: { ...token, scopes, expires_at: null }, organizations: [] };
      },
    };
  }),
  withScopes('treats scopes as prefixes', (held, scope) =>
    held.some((one) => scope.split('_')[0] === one.split('_')[0]),
  ),
  withScopes('lets those read who may write', (held, scope) => held.includes(scope.replace('read_', 'write_'))),
  withScopes('gives every scope to those who have none', (held) => held.length === 0),
  calling('lets another organization in', async ({ organizations }, storage, target) => {
    const slug = /^\/v2\/organizations\/([^/?]+)/.exec(target)?.[1] ?? '';
    const [found] = await storage.select('organization.bySlug', { slug }, 1);
    if (!found) return {};
    const guest = { organization_id: found.id, role: 'member', permissions: [] } as const;
    return { organizations: [...organizations, guest] };
  }),
  withMemberships('takes every member for an admin', () => ({ role: 'admin' })),
  withMemberships('takes every admin for a member', () => ({ role: 'member' })),
  withMemberships('forgets permissions', () => ({ permissions: [] })),
  granting('admits everyone to stop agents', (good) => async (caller, right) => {
    return right.to === 'stop_agents' || good.may(caller, right);
  }),
  granting('admits everyone to edit pipelines', (good) => async (caller, right) => {
    return right.to === 'edit_pipeline' || good.may(caller, right);
  }),
  granting('admits nobody but admins', () => async ({ organizations }, right) => {
    const id = right.to === 'stop_agents' ? right.organization.id : right.pipeline.organization_id;
    return organizations.some(({ organization_id, role }) => organization_id === id && role === 'admin');
  }),
];
