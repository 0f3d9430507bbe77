import type { Permission, Role, Row } from '../model/index.js';
import type { ApiRequest } from './transport.js';

/** Who sends a request. The core decides about scopes and tenancy by these fields. */
export interface Caller {
  readonly user: Pick<Row<'user'>, 'id' | 'name' | 'email' | 'avatar_url' | 'created_at'>;
  /** The access token that was presented, as `GET /v2/access-token` shows it. */
  readonly token: Pick<Row<'accessToken'>, 'id' | 'scopes' | 'description' | 'created_at' | 'expires_at'>;
  /** The organizations that this token may use: those of its user, less those it is not limited to. */
  readonly organizations: readonly Membership[];
}

export interface Membership {
  readonly organization_id: string;
  readonly role: Role;
  readonly permissions: readonly Permission[];
}

/** Rights that go beyond a scope, each with the record that it is about. */
export type Right =
  | { readonly to: 'stop_agents'; readonly organization: Row<'organization'> }
  | { readonly to: 'edit_pipeline'; readonly pipeline: Pick<Row<'pipeline'>, 'id' | 'organization_id'> };

/**
 * Finds out who sends a request. It gets the whole request, so that sessions in cookies, JSON Web Tokens and headers set by a
 * proxy work as well as bearer tokens. The default is `bearerTokenAuthenticator`.
 *
 * @example
 * const authenticator: Authenticator = {
 *   async authenticate(request) {
 *     const session = await sessions.find(request.headers.cookie);
 *     return session && callerOf(session);
 *   },
 * };
 */
export interface Authenticator {
  /**
   * The caller behind a request; undefined for a request without credentials, or with credentials that are unknown, revoked,
   * expired or malformed, which is answered with 401. A rejection is answered with 500, or 503 for `StorageUnavailable`.
   * The body has not been read yet, and must be left unread.
   */
  authenticate(request: ApiRequest): Promise<Caller | undefined>;
}

/** Decides about the rights that go beyond a scope. The default is `membershipAuthorizer`. */
export interface Authorizer {
  /** Whether the caller has the right. If not, the request is answered with 403. */
  isAllowed(caller: Caller, right: Right): Promise<boolean>;
}
