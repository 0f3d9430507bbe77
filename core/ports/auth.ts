import type { Permission, Role, Row } from '../model/index.js';
import type { ApiRequest } from './transport.js';

/** The sender of a request. The core checks scopes and tenancy with these fields. */
export interface Caller {
  readonly user: Pick<Row<'user'>, 'id' | 'name' | 'email' | 'avatar_url' | 'created_at'>;
  /** The access token of the request, as `GET /v2/access-token` shows it. */
  readonly token: Pick<Row<'accessToken'>, 'id' | 'scopes' | 'description' | 'created_at' | 'expires_at'>;
  /** The organizations that this token may use: those of its user, or some of them if the token is limited. */
  readonly organizations: readonly Membership[];
}

export interface Membership {
  readonly organization_id: string;
  readonly role: Role;
  readonly permissions: readonly Permission[];
}

/** Rights that require more than a scope, each with the record that it applies to. */
export type Right =
  | { readonly to: 'stop_agents'; readonly organization: Row<'organization'> }
  | { readonly to: 'edit_pipeline'; readonly pipeline: Pick<Row<'pipeline'>, 'id' | 'organization_id'> };

/**
 * Identifies the sender of a request. It gets the whole request, so that sessions in cookies, JSON Web Tokens and headers set
 * by a proxy work as well as bearer tokens. The default is `bearerTokenAuthenticator`.
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
   * The sender of a request. Undefined if the request has no credentials, or credentials that are unknown, revoked, expired or
   * malformed: the API responds with 401. If the promise rejects, the API responds with 500, or with 503 for
   * `StorageUnavailable`. The body has not been read yet, and this method must not read it.
   */
  authenticate(request: ApiRequest): Promise<Caller | undefined>;
}

/** Checks the rights that require more than a scope. The default is `membershipAuthorizer`. */
export interface Authorizer {
  /** Whether the caller has the right. If not, the API responds with 403. */
  isAllowed(caller: Caller, right: Right): Promise<boolean>;
}
