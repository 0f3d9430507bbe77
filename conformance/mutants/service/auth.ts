import { storedTokens } from '../../../core/auth/stored-tokens.js';
import { agentTokenPrefix, digestOf, isWellFormed } from '../../../core/auth/token-format.js';
import type { Auth, Caller, Membership, Storage } from '../../../core/index.js';
import { scopes } from '../../../core/model/scopes.js';
import { overrideStorage } from '../../service/storage-wrappers.js';
import { authMutant, type ServiceMutant } from './mutant.js';

/** The good auth port, with what it says of callers changed. */
const callerMutant = (
  name: string,
  change: (caller: Caller, storage: Storage, target: string) => Promise<Partial<Caller>>,
) =>
  authMutant(name, ({ storage, clock }) => {
    const original = storedTokens(storage, clock);
    return {
      may: (caller, right) => original.may(caller, right),
      async identify(bearer, request) {
        const caller = await original.identify(bearer, request);
        return caller && { ...caller, ...(await change(caller, storage, request.target)) };
      },
    };
  });

/** The good auth port, with the token's row as it reads it changed. */
const tokenRowMutant = (name: string, change: object) =>
  authMutant(name, ({ storage, clock }) =>
    storedTokens(
      overrideStorage(storage, {
        select: async (query, args, limit) => {
          const rows = await storage.select(query, args, limit);
          return query === 'accessToken.byDigest' ? rows.map((row) => ({ ...row, ...change })) : rows;
        },
      }),
      clock,
    ),
  );

const authorizerMutant = (name: string, may: (original: Auth) => Auth['may']) =>
  authMutant(name, ({ storage, clock }) => {
    const original = storedTokens(storage, clock);
    return { identify: (bearer, request) => original.identify(bearer, request), may: may(original) };
  });

const scopeMutant = (name: string, grants: (held: readonly string[], scope: string) => boolean) =>
  callerMutant(name, async ({ token }) => ({
    token: { ...token, scopes: scopes.filter((scope) => token.scopes.includes(scope) || grants(token.scopes, scope)) },
  }));

const membershipMutant = (name: string, change: (membership: Membership) => Partial<Membership>) =>
  callerMutant(name, async ({ organizations }) => ({
    organizations: organizations.map((membership) => ({ ...membership, ...change(membership) })),
  }));

/** Mistakes of those who bring an auth port of their own. */
export const authMutants: readonly ServiceMutant[] = [
  authMutant('ignores that tokens expire', ({ storage, clock }) => storedTokens(storage, { ...clock, now: () => 0 })),
  authMutant('lets tokens live a second longer', ({ storage, clock }) =>
    storedTokens(storage, { ...clock, now: () => clock.now() - 1_000 }),
  ),
  tokenRowMutant('ignores that tokens are revoked', { revoked_at: null }),
  tokenRowMutant('ignores what a token is limited to', { organization_ids: null }),
  authMutant('remembers callers for ever', ({ storage, clock }) => {
    const original = storedTokens(storage, clock);
    const known = new Map<string, Caller>();
    return {
      may: (caller, right) => original.may(caller, right),
      async identify(bearer, request) {
        const caller = known.get(bearer) ?? (await original.identify(bearer, request));
        if (caller) known.set(bearer, caller);
        return caller;
      },
    };
  }),
  authMutant('takes agent tokens as well', ({ storage, clock }) => {
    const original = storedTokens(storage, clock);
    return {
      may: (caller, right) => original.may(caller, right),
      async identify(bearer, request) {
        if (!isWellFormed(agentTokenPrefix, bearer)) return original.identify(bearer, request);
        const [token] = await storage.select('agentToken.byDigest', { digest: digestOf(bearer) }, 1);
        const [user] = await storage.load('user.byEmail', token?.created_by_id ? [token.created_by_id] : []);
        return token && user && { user, token: { ...token, scopes, expires_at: null }, organizations: [] };
      },
    };
  }),
  scopeMutant('treats scopes as prefixes', (held, scope) =>
    held.some((one) => scope.split('_')[0] === one.split('_')[0]),
  ),
  scopeMutant('lets those read who may write', (held, scope) => held.includes(scope.replace('read_', 'write_'))),
  scopeMutant('gives every scope to those who have none', (held) => held.length === 0),
  callerMutant('lets another organization in', async ({ organizations }, storage, target) => {
    const slug = /^\/v2\/organizations\/([^/?]+)/.exec(target)?.[1] ?? '';
    const [found] = await storage.select('organization.bySlug', { slug }, 1);
    if (!found) return {};
    const guest = { organization_id: found.id, role: 'member', permissions: [] } as const;
    return { organizations: [...organizations, guest] };
  }),
  membershipMutant('takes every member for an admin', () => ({ role: 'admin' })),
  membershipMutant('takes every admin for a member', () => ({ role: 'member' })),
  membershipMutant('forgets permissions', () => ({ permissions: [] })),
  authorizerMutant('admits everyone to stop agents', (original) => async (caller, right) => {
    return right.to === 'stop_agents' || original.may(caller, right);
  }),
  authorizerMutant('admits everyone to edit pipelines', (original) => async (caller, right) => {
    return right.to === 'edit_pipeline' || original.may(caller, right);
  }),
  authorizerMutant('admits nobody but admins', () => async ({ organizations }, right) => {
    const id = right.to === 'stop_agents' ? right.organization.id : right.pipeline.organization_id;
    return organizations.some(({ organization_id, role }) => organization_id === id && role === 'admin');
  }),
];
