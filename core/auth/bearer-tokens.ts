import type { QueryRow } from '../model/index.js';
import type { Authenticator, Caller, Clock, Reader } from '../ports/index.js';
import { formatTimestamp } from '../schema/timestamps.js';
import { accessTokenPrefix, digestOf, isWellFormed, sameDigest } from './token-format.js';

/** The token of an `Authorization: Bearer` header; undefined if there is none, or another scheme. */
export const bearerTokenOf = ({ headers }: Parameters<Authenticator['authenticate']>[0]): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];

/**
 * The default authenticator: the access tokens in the storage, sent as bearer tokens. A token that is malformed, unknown,
 * revoked or expired has no caller (decisions 2).
 */
export function bearerTokenAuthenticator(storage: Pick<Reader, 'select'>, clock: Pick<Clock, 'now'>): Authenticator {
  return {
    async authenticate(request) {
      const bearer = bearerTokenOf(request);
      if (bearer === undefined || !isWellFormed(accessTokenPrefix, bearer)) return undefined;
      const digest = digestOf(bearer);
      const [token] = await storage.select('accessToken.byDigest', { digest }, 1);
      if (!token || !sameDigest(token.digest, digest) || !isActive(token, clock)) return undefined;
      return callerOf(token);
    },
  };
}

type TokenRow = QueryRow<'accessToken.byDigest'>;

const isActive = (token: TokenRow, clock: Pick<Clock, 'now'>): boolean =>
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
