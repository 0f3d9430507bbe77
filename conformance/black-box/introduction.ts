import { type Scope, scopes } from '../../core/contract/operation.js';
import { HarnessBroke } from '../runner/fault.js';
import type { Wire } from '../service/wire.js';
import type { Address } from './address.js';
import { landmarksOf } from './landmarks.js';
import { type Reached, sendOver } from './running.js';

export interface Invitation {
  readonly address: Address;
  readonly token: string;
  readonly organization: string;
  readonly pipeline: string | undefined;
  readonly mark: string;
}

/**
 * Gets to know a service before any case runs: that it is one, that it takes the token, what the token may do, and what there is
 * to look at. What is in the way is no failure of the service, and is told in words that help whoever gave the address.
 */
export async function introduced(wire: Wire, invitation: Invitation): Promise<Reached> {
  const { address, token, organization, pipeline, mark } = invitation;
  const { base } = address;
  await isSuchAnApi(wire, base);
  const ask = (target: string) => wire.send({ method: 'GET', target, headers: { authorization: `Bearer ${token}` } });
  const user = await ask('/v2/user');
  if (user.status === 401) throw new HarnessBroke(`${base} does not take the token: it answered 401`);
  if (user.status >= 300) throw new HarnessBroke(`${base}/v2/user answered ${user.status} instead of telling who asks`);
  const held = scopesIn(await ask('/v2/access-token'));
  const seen = await ask(`/v2/organizations/${encodeURIComponent(organization)}${anyListFor(held)}`);
  if (seen.status === 404)
    throw new HarnessBroke(`There is no organization ${organization} at ${base}, or the token is not for it`);
  const look = async (path: string) => {
    const { status, text } = await ask(path);
    return status < 300 ? jsonIn(text) : undefined;
  };
  const landmarks = await landmarksOf(look, organization);
  return { base, organization, pipeline, mark, send: sendOver(wire, token), scopes: held, landmarks };
}

async function isSuchAnApi(wire: Wire, base: string): Promise<void> {
  const { status, headers, text } = await wire.send({ method: 'GET', target: '/' }).catch((error: unknown) => {
    if (error instanceof HarnessBroke) throw error;
    throw new HarnessBroke(`What answers at ${base} does not speak HTTP/1.1: ${(error as Error).message}`);
  });
  if (status >= 300 && status < 400) {
    const to = headers.location === undefined ? '' : ` to ${headers.location}`;
    throw new HarnessBroke(`${base} sends on${to} (${status}): give the address where the API itself is`);
  }
  const body = jsonIn(text);
  if (status < 300 && typeof body?.message === 'string' && Number.isInteger(body.timestamp)) return;
  throw new HarnessBroke(
    `${base}/ is not the root of such an API: it answered ${status} without a message and a timestamp. ` +
      'If the API stands below a path, that path belongs to the URL',
  );
}

function jsonIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The scopes that the token has; all of them where the service has nothing to say about its tokens. */
function scopesIn({ status, text }: { readonly status: number; readonly text: string }): readonly Scope[] {
  const told = status < 300 ? jsonIn(text)?.scopes : undefined;
  return Array.isArray(told) ? scopes.filter((scope) => told.includes(scope)) : scopes;
}

/** A list of the organization that a token with these scopes may see, so that a 404 speaks of the organization. */
function anyListFor(held: readonly Scope[]): string {
  const lists = { read_clusters: '/clusters', read_agents: '/agents', read_teams: '/teams' } as const;
  const [scope] = (Object.keys(lists) as (keyof typeof lists)[]).filter((one) => held.includes(one));
  return scope === undefined ? '/builds' : lists[scope];
}
