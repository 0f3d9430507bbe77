import { type Scope, scopes } from '../api/index.js';
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
 * Checks before the first case that the address leads to the API and that the service accepts the token, and finds the scopes of
 * the token and existing records. Problems are `HarnessError`s and not failures of the service; their messages tell the user of
 * the suite what to correct.
 */
export async function probeService(wire: Wire, options: ProbeOptions): Promise<ConnectedService> {
  const { address, token, organization, pipeline, runId } = options;
  const { base } = address;
  await assertIsApi(wire, base);
  const get = (target: string) => wire.send({ method: 'GET', target, headers: { authorization: `Bearer ${token}` } });
  const user = await get('/v2/user');
  if (user.status === 401) throw new HarnessError(`${base} rejects the token: it answered 401`);
  if (user.status >= 300)
    throw new HarnessError(`${base}/v2/user answered ${user.status} instead of the user of the token`);
  const tokenScopes = scopesOf(await get('/v2/access-token'));
  const list = await get(`/v2/organizations/${encodeURIComponent(organization)}${readableListPath(tokenScopes)}`);
  if (list.status === 404)
    throw new HarnessError(
      `The organization ${organization} does not exist at ${base}, or the token has no access to it`,
    );
  const fetchPath = async (path: string) => {
    const { status, text } = await get(path);
    return status < 300 ? parseJson(text) : undefined;
  };
  const sampleRecords = await findSampleRecords(fetchPath, organization);
  return { base, organization, pipeline, runId, send: createSend(wire, token), scopes: tokenScopes, sampleRecords };
}

async function assertIsApi(wire: Wire, base: string): Promise<void> {
  const { status, headers, text } = await wire.send({ method: 'GET', target: '/' }).catch((error: unknown) => {
    if (error instanceof HarnessError) throw error;
    throw new HarnessError(`The server at ${base} does not speak HTTP/1.1: ${(error as Error).message}`);
  });
  if (status >= 300 && status < 400) {
    const to = headers.location === undefined ? '' : ` to ${headers.location}`;
    throw new HarnessError(`${base} redirects${to} (${status}): give the URL of the API itself`);
  }
  const body = parseJson(text);
  if (status < 300 && typeof body?.message === 'string' && Number.isInteger(body.timestamp)) return;
  throw new HarnessError(
    `${base}/ is not the root of this API: it answered ${status} without a message and a timestamp. ` +
      'If the API is mounted below a path, add that path to the URL',
  );
}

function parseJson(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The scopes of the token. All scopes if the service does not report them. */
function scopesOf({ status, text }: { readonly status: number; readonly text: string }): readonly Scope[] {
  const tokenScopes = status < 300 ? parseJson(text)?.scopes : undefined;
  return Array.isArray(tokenScopes) ? scopes.filter((scope) => tokenScopes.includes(scope)) : scopes;
}

/** A list of the organization that these scopes allow, so that a 404 can only mean the organization. */
function readableListPath(tokenScopes: readonly Scope[]): string {
  const lists = { read_clusters: '/clusters', read_agents: '/agents', read_teams: '/teams' } as const;
  const [scope] = (Object.keys(lists) as (keyof typeof lists)[]).filter((one) => tokenScopes.includes(one));
  return scope === undefined ? '/builds' : lists[scope];
}
