import { digestOf } from '../auth/token-format.js';
import { scopes } from '../model/scopes.js';
import type { FixtureRecord } from './fixture-schema.js';
import type { PlanDraft } from './plan-draft.js';
import { joinPath } from './problems.js';
import type { makeTokenTexts } from './token-texts.js';

export function planOrganization(record: FixtureRecord<'organizations'>, path: string, draft: PlanDraft) {
  const row = draft.newRow<'organization'>({
    id: draft.idFor('organization', record.id, path),
    slug: record.slug,
    name: record.name ?? record.slug,
    pipelines_security: record.pipelines_security ?? false,
    created_at: record.created_at ?? draft.now,
  });
  draft.referenceIndex.addOrganization(row, path);
  draft.insert('organization', row);
  return { id: row.id, slug: row.slug };
}

export function planUser(record: FixtureRecord<'users'>, path: string, draft: PlanDraft) {
  const row = draft.newRow<'user'>({
    id: draft.idFor('user', record.id, path),
    name: record.name,
    email: record.email,
    avatar_url: record.avatar_url ?? `https://www.gravatar.com/avatar/${digestOf(record.email.toLowerCase())}`,
    created_at: record.created_at ?? draft.now,
  });
  draft.referenceIndex.addUser(row, path);
  draft.insert('user', row);
  for (const [index, membership] of (record.organizations ?? []).entries()) {
    const itemPath = joinPath(`${path}.organizations`, index);
    const organization = draft.referenceIndex.organization(membership.organization, `${itemPath}.organization`);
    if (!organization) continue;
    if (!draft.referenceIndex.addMember(organization.id, row.id)) {
      draft.problems.add(`${itemPath}.organization: the user is in "${organization.slug}" already`);
    }
    draft.insert('member', {
      id: draft.idSource.id(),
      organization_id: organization.id,
      user_id: row.id,
      role: membership.role ?? 'member',
      permissions: membership.permissions ?? [],
      created_at: row.created_at,
    });
    if (membership.joins_default_teams !== false) draft.defaultMembers.addUser(organization.id, row.id, draft);
  }
  return { id: row.id, email: row.email };
}

/** Plans access tokens. `text` determines the text of a token. */
export function planAccessToken(
  record: FixtureRecord<'access_tokens'>,
  path: string,
  draft: PlanDraft,
  tokenText: ReturnType<typeof makeTokenTexts>,
) {
  const { token, digest } = tokenText(record.token, path);
  const id = draft.idFor('accessToken', record.id, path);
  const user = draft.referenceIndex.user(record.user, `${path}.user`);
  const organizations = record.organizations?.map((slug, index) => {
    const itemPath = joinPath(`${path}.organizations`, index);
    const organization = draft.referenceIndex.organization(slug, itemPath);
    if (organization && user && !draft.referenceIndex.isMember(organization.id, user.id)) {
      draft.problems.add(`${itemPath}: the user "${user.email}" is not a member of "${slug}"`);
    }
    return organization?.id ?? '';
  });
  draft.insert('accessToken', {
    id,
    user_id: user?.id ?? '',
    digest,
    description: record.description ?? '',
    scopes: record.scopes ?? scopes,
    organization_ids: organizations ?? null,
    created_at: record.created_at ?? draft.now,
    expires_at: record.expires_at ?? null,
    revoked_at: null,
  });
  return { id, user: record.user, token };
}
