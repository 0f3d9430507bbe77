import { type Fixture, type FixtureRecord, scopes } from '../../core/index.js';
import { UsageError } from './usage-error.js';

/** The parts of a fixture that the command prints, or by which it finds the fixture in a storage. */
export interface FixtureSummary {
  /** Slugs of all organizations. */
  readonly organizations: readonly string[];
  /** Slug of the first organization. The fields below belong to it. */
  readonly organization: string;
  readonly pipeline: string | null;
  readonly suite: string | null;
  /** The name of a team; its slug may be missing in the document. */
  readonly team: string | null;
  /** Email of an admin. */
  readonly admin: string | null;
  /** The text of an access token of an admin with all scopes. */
  readonly token: string | null;
}

/** `document` is not validated: any part of it may be malformed. `name` is its name in error messages. */
export function summarizeFixture(document: Fixture, name: string): FixtureSummary {
  const slugs = (document.organizations ?? []).map(({ slug }) => slug).filter((slug) => typeof slug === 'string');
  const [organization] = slugs;
  if (organization === undefined) throw new UsageError(`${name} has no organizations`);
  const first = <T extends { readonly organization: string }>(records: readonly T[] = []): T | undefined =>
    records.find((record) => record.organization === organization);
  const admins = (document.users ?? []).filter((user) => isAdmin(user, organization)).map(({ email }) => email);
  const token = document.access_tokens?.find(
    (accessToken) => admins.includes(accessToken.user) && hasFullAccess(accessToken, organization),
  );
  return {
    organizations: slugs,
    organization,
    pipeline: first(document.pipelines)?.slug ?? null,
    suite: first(document.suites)?.slug ?? null,
    team: first(document.teams)?.name ?? null,
    admin: admins[0] ?? null,
    token: token?.token ?? null,
  };
}

const isAdmin = ({ organizations }: FixtureRecord<'users'>, slug: string): boolean =>
  arrayOrEmpty(organizations).some((membership) => membership?.organization === slug && membership.role === 'admin');

/** Whether the text of a token is in the document and the token has all scopes in the organization. */
function hasFullAccess(token: FixtureRecord<'access_tokens'>, slug: string): boolean {
  if (typeof token.token !== 'string') return false;
  const grantedScopes = token.scopes == null ? scopes : arrayOrEmpty(token.scopes);
  const organizations = token.organizations == null ? [slug] : arrayOrEmpty(token.organizations);
  return organizations.includes(slug) && scopes.every((scope) => grantedScopes.includes(scope));
}

const arrayOrEmpty = <T>(value: readonly T[] | undefined): readonly T[] => (Array.isArray(value) ? value : []);
