import { accessTokenPrefix, digestOf, isWellFormed } from '../auth/token-format.js';
import { insert, merge, replace } from '../commands/batch.js';
import { errors } from '../errors/index.js';
import { scopes } from '../model/scopes.js';
import { array, enumeration, looseObject, nullable, optional, string } from '../schema/schema.js';
import { parseTimestamp } from '../schema/timestamps.js';
import { isUuid } from '../schema/uuid.js';
import { runtimeCommand } from './runtime-command.js';

/** Issues an access token of a user. `text` is the token, which the caller has generated. Only its digest is stored. */
export const issue = runtimeCommand({
  id: 'accessTokens.issue',
  input: looseObject({
    text: string(),
    user: string({ description: "The user's email" }),
    scopes: optional(array(enumeration(scopes))),
    organizations: optional(nullable(array(string({ description: 'Slugs; absent or null: all of the user' })))),
    description: optional(string({ maxLength: 255 })),
    expires_at: optional(nullable(string({ description: 'ISO 8601' }))),
  }),
  async load({ input, reader }) {
    const [user] = await reader.select('user.byEmail', { email: input.user }, 1);
    if (!user) return errors.userNotFound();
    const organizations: string[] = [];
    for (const slug of input.organizations ?? []) {
      const [organization] = await reader.select('organization.bySlug', { slug }, 1);
      if (!organization) return errors.organizationNotFound();
      const [member] = await reader.select('member.byUser', { organization: organization.id, user: user.id }, 1);
      if (!member) return errors.accessTokenNotAMember({ organization: slug });
      organizations.push(organization.id);
    }
    return { user, organizations };
  },
  ids: () => 1,
  decide({ user, organizations }, { input, now, ids: [id = ''] }) {
    const expires = input.expires_at == null ? null : parseTimestamp(input.expires_at);
    if (expires === undefined)
      return errors.validationFailed({ reasons: 'Expires at must be an ISO 8601 date or date-time' });
    const row = {
      id,
      user_id: user.id,
      digest: digestOf(input.text),
      description: input.description ?? '',
      scopes: input.scopes ?? scopes,
      organization_ids: input.organizations == null ? null : organizations,
      created_at: now,
      expires_at: expires,
      revoked_at: null,
    };
    return { batch: merge({ insert: [insert('accessToken', row)] }), reply: { id, token: input.text } };
  },
});

/** Revokes an access token, found by its id or its text. Revoking it again changes nothing. */
export const revoke = runtimeCommand({
  id: 'accessTokens.revoke',
  input: looseObject({ token: string({ description: 'The id or the text of the token' }) }),
  async load({ input, reader }) {
    const [token] = isUuid(input.token)
      ? await reader.load('accessToken.byDigest', [input.token.toLowerCase()])
      : isWellFormed(accessTokenPrefix, input.token)
        ? await reader.select('accessToken.byDigest', { digest: digestOf(input.token) }, 1)
        : [];
    return token ?? errors.accessTokenNotFound();
  },
  decide: (token, { now }) => ({
    batch: merge(token.revoked_at === null ? { replace: [replace('accessToken', token, { revoked_at: now })] } : {}),
    reply: { id: token.id },
  }),
});
