import { agentTokenPrefix, digestOf, isWellFormed } from '../../../core/auth/token-format.js';
import {
  bearerTokenAuthenticator,
  bearerTokenOf,
  type Caller,
  type Membership,
  type Storage,
} from '../../../core/index.js';
import { scopes } from '../../../core/model/scopes.js';
import { overrideStorage } from '../../service/storage-wrappers.js';
import { authenticatorMutant, authorizerMutant, type ServiceMutant } from './mutant.js';

/** The default authenticator with a change to its callers. */
const callerMutant = (
  name: string,
  change: (caller: Caller, storage: Storage, target: string) => Promise<Partial<Caller>>,
) =>
  authenticatorMutant(name, ({ storage, clock }) => {
    const original = bearerTokenAuthenticator(storage, clock);
    return {
      async authenticate(request) {
        const caller = await original.authenticate(request);
        return caller && { ...caller, ...(await change(caller, storage, request.target)) };
      },
    };
  });

/** The default authenticator with a change to the token rows that it reads. */
const tokenRowMutant = (name: string, change: object) =>
  authenticatorMutant(name, ({ storage, clock }) =>
    bearerTokenAuthenticator(
      overrideStorage(storage, {
        select: async (query, args, limit) => {
          const rows = await storage.select(query, args, limit);
          return query === 'accessToken.byDigest' ? rows.map((row) => ({ ...row, ...change })) : rows;
        },
      }),
      clock,
    ),
  );

const scopeMutant = (name: string, grants: (tokenScopes: readonly string[], scope: string) => boolean) =>
  callerMutant(name, async ({ token }) => ({
    token: { ...token, scopes: scopes.filter((scope) => token.scopes.includes(scope) || grants(token.scopes, scope)) },
  }));

const membershipMutant = (name: string, change: (membership: Membership) => Partial<Membership>) =>
  callerMutant(name, async ({ organizations }) => ({
    organizations: organizations.map((membership) => ({ ...membership, ...change(membership) })),
  }));

/** Faults that custom authenticators and authorizers are likely to have. */
export const authMutants: readonly ServiceMutant[] = [
  authenticatorMutant('accepts expired tokens', ({ storage, clock }) =>
    bearerTokenAuthenticator(storage, { ...clock, now: () => 0 }),
  ),
  authenticatorMutant('accepts tokens for a second after they expire', ({ storage, clock }) =>
    bearerTokenAuthenticator(storage, { ...clock, now: () => clock.now() - 1_000 }),
  ),
  tokenRowMutant('accepts revoked tokens', { revoked_at: null }),
  tokenRowMutant('ignores the organizations that a token is limited to', { organization_ids: null }),
  authenticatorMutant('caches callers for ever', ({ storage, clock }) => {
    const original = bearerTokenAuthenticator(storage, clock);
    const callers = new Map<string, Caller>();
    return {
      async authenticate(request) {
        const bearer = bearerTokenOf(request) ?? '';
        const caller = callers.get(bearer) ?? (await original.authenticate(request));
        if (caller) callers.set(bearer, caller);
        return caller;
      },
    };
  }),
  authenticatorMutant('accepts agent tokens', ({ storage, clock }) => {
    const original = bearerTokenAuthenticator(storage, clock);
    return {
      async authenticate(request) {
        const bearer = bearerTokenOf(request) ?? '';
        if (!isWellFormed(agentTokenPrefix, bearer)) return original.authenticate(request);
        const [token] = await storage.select('agentToken.byDigest', { digest: digestOf(bearer) }, 1);
        const [user] = await storage.load('user.byEmail', token?.created_by_id ? [token.created_by_id] : []);
        return token && user && { user, token: { ...token, scopes, expires_at: null }, organizations: [] };
      },
    };
  }),
  scopeMutant('compares only the first word of scopes', (tokenScopes, scope) =>
    tokenScopes.some((one) => scope.split('_')[0] === one.split('_')[0]),
  ),
  scopeMutant('grants read scopes with write scopes', (tokenScopes, scope) =>
    tokenScopes.includes(scope.replace('read_', 'write_')),
  ),
  scopeMutant('grants every scope to tokens without scopes', (tokenScopes) => tokenScopes.length === 0),
  callerMutant('admits callers to every organization', async ({ organizations }, storage, target) => {
    const slug = /^\/v2\/organizations\/([^/?]+)/.exec(target)?.[1] ?? '';
    const [found] = await storage.select('organization.bySlug', { slug }, 1);
    if (!found) return {};
    const guest = { organization_id: found.id, role: 'member', permissions: [] } as const;
    return { organizations: [...organizations, guest] };
  }),
  membershipMutant('treats every member as an admin', () => ({ role: 'admin' })),
  membershipMutant('treats every admin as a member', () => ({ role: 'member' })),
  membershipMutant('ignores permissions', () => ({ permissions: [] })),
  authorizerMutant('permits everyone to stop agents', (original) => async (caller, right) => {
    return right.to === 'stop_agents' || original.isAllowed(caller, right);
  }),
  authorizerMutant('permits everyone to edit pipelines', (original) => async (caller, right) => {
    return right.to === 'edit_pipeline' || original.isAllowed(caller, right);
  }),
  authorizerMutant('permits only admins', () => async ({ organizations }, right) => {
    const id = right.to === 'stop_agents' ? right.organization.id : right.pipeline.organization_id;
    return organizations.some(({ organization_id, role }) => organization_id === id && role === 'admin');
  }),
];
