import type { Api, Fixture } from '../../core/index.js';

/** The first organization of a fixture and an access token of one of its admins: the fixture's own token, or a new one. */
export async function adminToken(
  api: Api,
  fixture: Fixture,
  loaded: readonly { readonly user: string; readonly token: string }[],
): Promise<{ readonly organization: string; readonly token: string }> {
  const organization = fixture.organizations?.[0]?.slug;
  if (organization === undefined) throw new TypeError('The fixture has no organizations');
  const admins = (fixture.users ?? []).filter(({ organizations = [] }) =>
    organizations.some((membership) => membership.organization === organization && membership.role === 'admin'),
  );
  const [admin] = admins;
  if (!admin) throw new TypeError(`The fixture has no admin of ${organization}`);
  const existing = loaded.find(({ user }) => admins.some(({ email }) => email === user));
  const token = existing?.token ?? (await api.runtime.accessTokens.issue({ user: admin.email })).token;
  return { organization, token };
}
