import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { accessTokenPrefix, digestOf, makeToken } from '../../core/auth/token-format.js';
import { type Api, type Storage, scopes } from '../../core/index.js';
import type { Row } from '../../core/model/index.js';
import { systemClock, systemIds } from '../../core/system.js';
import type { FixtureSummary } from './fixture-summary.js';

/**
 * Returns the token that a start prints. Only digests of tokens are stored, so the token of the previous start cannot be printed
 * again, and a new record for each start would leave many valid tokens behind. So there is one token per served address and
 * organization. A start replaces its text, which makes the previous text invalid. A process at another address has its own token;
 * only one process can listen on an address.
 *
 * If the fixture contains the text of an admin's token, and that token is valid, it is returned instead.
 */
export async function issueStartToken(
  api: Api,
  storage: Storage,
  summary: FixtureSummary,
  address: string,
): Promise<string> {
  if (summary.token !== null && (await isValidToken(storage, summary.token))) return summary.token;
  const text = makeToken(accessTokenPrefix, systemIds);
  const user = await findOrCreateAdmin(api, storage, summary);
  const description = `Printed by the start of millrace at ${address} on ${hostname()}`;
  const id = uuidFromText(`${summary.organization}\n${description}`);
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const [existing] = await storage.load('accessToken.byDigest', [id]);
    const row: Row<'accessToken'> = {
      id,
      version: (existing?.version ?? 0) + 1,
      user_id: user,
      digest: digestOf(text),
      description,
      scopes,
      organization_ids: null,
      created_at: new Date(systemClock.now()).toISOString(),
      expires_at: null,
      revoked_at: null,
    };
    const change = [{ entity: 'accessToken', row }] as const;
    const emptyBatch = { expect: [], touch: [], remove: [], events: [] };
    const committed = await storage.commit({
      ...emptyBatch,
      insert: existing ? [] : change,
      replace: existing ? change : [],
    });
    if ('done' in committed) return text;
  }
  throw new Error('The token of this start could not be stored: other processes keep changing it');
}

const maxAttempts = 5;

async function isValidToken(storage: Storage, text: string): Promise<boolean> {
  const [token] = await storage.select('accessToken.byDigest', { digest: digestOf(text) }, 1);
  return token !== undefined && token.revoked_at === null && token.expires_at === null;
}

/** A UUID derived from a text. */
function uuidFromText(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The id of the token's user: an admin of the fixture, or a new user if it has none. */
async function findOrCreateAdmin(api: Api, storage: Storage, { admin, organization }: FixtureSummary): Promise<string> {
  const email = admin ?? `admin@${organization}.invalid`;
  const find = async () => (await storage.select('user.byEmail', { email }, 1))[0]?.id;
  const existing = await find();
  if (existing !== undefined) return existing;
  const organizations = [{ organization, role: 'admin' as const }];
  await api.load({ users: [{ email, name: 'Administrator', organizations }] });
  return (await find()) ?? '';
}
