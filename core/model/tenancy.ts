import { flag, id, json, nullable, text, time } from './column.js';
import { entity } from './entity.js';

/** Permissions of a member in addition to the scopes of the token (spec 4.1). */
export type Permission = 'stop_agents';
export type Role = 'admin' | 'member';

export const organization = entity(
  {
    slug: text(),
    name: text(),
    /** The pipelines-security feature: lets holders of `stop_agents` stop agents without being admins (spec 4.1). */
    pipelines_security: flag(),
    created_at: time(),
  },
  { slug: ['slug'] },
);

export const user = entity(
  { name: text(), email: text(), avatar_url: text(), created_at: time() },
  { email: ['email'] },
);

export const member = entity(
  {
    organization_id: id(),
    user_id: id(),
    role: text<Role>(),
    permissions: json<readonly Permission[]>(),
    created_at: time(),
  },
  { user: ['organization_id', 'user_id'] },
);

/** An API access token. Only the SHA-256 digest of the token is stored (decisions 2). */
export const accessToken = entity(
  {
    user_id: id(),
    digest: text(),
    description: text(),
    scopes: json<readonly string[]>(),
    /** The organizations that the token is limited to. Null: all organizations of its user. */
    organization_ids: nullable(json<readonly string[]>()),
    created_at: time(),
    expires_at: nullable(time()),
    revoked_at: nullable(time()),
  },
  { digest: ['digest'] },
);
