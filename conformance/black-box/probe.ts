import { type Scope, scopes } from '../../core/model/scopes.js';
import { HarnessError } from '../runner/failure.js';
import type { Wire } from '../service/wire.js';
import type { Address } from './address.js';
import { type ConnectedService, createSend } from './running-service.js';
import { findSampleRecords } from './sample-records.js';

export interface ProbeOptions {
  readonly address: Address;
  readonly token: string;
  readonly organization: string;
  readonly pipeline: string | undefined;
  readonly runId: string;
}

/**
 * Gets to know a service before any case runs: that it is one, that it takes the token, what the token may do, and what there is
 * to look at. What is in the way is no failure of the service, and is told in words that help whoever gave the address.
 */
export async function probeService(wire: Wire, options: ProbeOptions): Promise<ConnectedService> {
  const { address, token, organization, pipeline, runId } = options;
  const { base } = address;
  await assertIsApi(wire, base);
  const get = (target: string) => wire.send({ method: 'GET', target, headers: { authorization: `Bearer ${token}` } });
  const user = await get('/v2/user');
  if (user.status === 401) throw new HarnessError(`${base} does not take the token: it answered 401`);
  if (user.status >= 300) throw new HarnessError(`${base}/v2/user answered ${user.status} instead of telling who asks`);
  const held = scopesOf(await get('/v2/access-token'));
  const seen = await get(`/v2/organizations/${encodeURIComponent(organization)}${readableListPath(held)}`);
  if (seen.status === 404)
    throw new HarnessError(`There is no organization ${organization} at ${base}, or the token is not for it`);
  const fetchPath = async (path: string) => {
    const { status, text } = await get(path);
    return status < 300 ? parseJson(text) : undefined;
  };
  const sampleRecords = await findSampleRecords(fetchPath, organization);
  return { base, organization, pipeline, runId, send: createSend(wire, token), scopes: held, sampleRecords };
}

async function assertIsApi(wire: Wire, base: string): Promise<void> {
  const { status, headers, text } = await wire.send({ method: 'GET', target: '/' }).catch((error: unknown) => {
    if (error instanceof HarnessError) throw error;
    throw new HarnessError(`What answers at ${base} does not speak HTTP/1.1: ${(error as Error).message}`);
  });
  if (status >= 300 && status < 400) {
    const to = headers.location === undefined ? '' : ` to ${headers.location}`;
    throw new HarnessError(`${base} sends on${to} (${status}): give the address where the API itself is`);
  }
  const body = parseJson(text);
  if (status < 300 && typeof body?.message === 'string' && Number.isInteger(body.timestamp)) return;
  throw new HarnessError(
    `${base}/ is not the root of such an API: it answered ${status} without a message and a timestamp. ` +
      'If the API stands below a path, that path belongs to the URL',
  );
}

function parseJson(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The scopes that the token has; all of them where the service has nothing to say about its tokens. */
function scopesOf({ status, text }: { readonly status: number; readonly text: string }): readonly Scope[] {
  const tokenScopes = status < 300 ? parseJson(text)?.scopes : undefined;
  return Array.isArray(tokenScopes) ? scopes.filter((scope) => tokenScopes.includes(scope)) : scopes;
}

/** A list of the organization that a token with these scopes may see, so that a 404 speaks of the organization. */
function readableListPath(held: readonly Scope[]): string {
  const lists = { read_clusters: '/clusters', read_agents: '/agents', read_teams: '/teams' } as const;
  const [scope] = (Object.keys(lists) as (keyof typeof lists)[]).filter((one) => held.includes(one));
  return scope === undefined ? '/builds' : lists[scope];
}
