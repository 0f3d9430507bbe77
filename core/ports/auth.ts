import type { Permission, Role, Row } from '../model/index.js';
import type { ApiRequest } from './transport.js';

/** Who is asking. Scope and tenancy are judged by the core from what stands here. */
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

/** Rights that go beyond a scope, with what they are about. */
export type Right =
  | { readonly to: 'stop_agents'; readonly organization: Row<'organization'> }
  | { readonly to: 'edit_pipeline'; readonly pipeline: Pick<Row<'pipeline'>, 'id' | 'organization_id'> };

export interface Auth {
  /**
   * The caller behind a bearer token; undefined for one that is unknown, revoked, expired or malformed. A caller with other
   * rights, or in other organizations, has to be another object: what was understood for one is kept for up to a second.
   */
  identify(bearer: string, request: ApiRequest): Promise<Caller | undefined>;
  /** Whether the caller has a right that goes beyond the scope. */
  may(caller: Caller, right: Right): Promise<boolean>;
}
