import { parseBlock } from '../auth/admission.js';
import { agentTokenPrefix, digestOf, withChecksum } from '../auth/token-text.js';
import { insert, merge, reference, remove, replace } from '../contract/batch.js';
import { command, list, read } from '../contract/operation.js';
import { invalid } from '../contract/refusal.js';
import { open, optional, type Schema, text } from '../contract/schema.js';
import { AgentToken, NewAgentToken, presentAgentToken } from '../representations/agent-token.js';
import { sent } from './fields.js';

const path = '/v2/organizations/{organization}/clusters/{cluster}/tokens';
const one = `${path}/{agentToken}` as const;

const description = text({ maxLength: 10_000, pattern: '\\S', reason: "can't be blank" });

/** A string as in the specification's examples, or a list of strings as in its words (spec 2.8, decisions 8). */
const addresses = {
  anyOf: [
    { type: 'string', maxLength: 10_000 },
    { type: 'array', items: { type: 'string' }, maxItems: 1_000 },
    { type: 'null' },
  ],
  description: 'IPv4 addresses and CIDR blocks, separated by white space',
  reason: 'must be a string of IPv4 addresses and CIDR blocks',
} as Schema<string | readonly string[] | null>;

/** The addresses as they are stored: as given, an array joined; null where there are none. */
function addressesOf(given: string | readonly string[] | null): string | null | 'malformed' {
  const joined = typeof given === 'string' || given === null ? given : given.join(' ');
  const entries = (joined ?? '').split(/\s+/).filter((entry) => entry !== '');
  if (!entries.every((entry) => parseBlock(entry))) return 'malformed';
  return entries.length > 0 ? joined : null;
}

const malformed = () => invalid('Allowed ip addresses must be IPv4 addresses or CIDR blocks');

const listTokens = list({
  id: 'agentTokens.list',
  summary: 'List agent tokens',
  method: 'GET',
  path,
  scope: 'read_clusters',
  of: AgentToken,
  source: 'agentToken.inCluster',
  where: ({ at }) => ({ cluster: at.cluster.id }),
  present: (rows, { at, links }) => rows.map((token) => presentAgentToken(token, at.organization.slug, links)),
});

const get = read({
  id: 'agentTokens.get',
  summary: 'Get an agent token',
  method: 'GET',
  path: one,
  scope: 'read_clusters',
  reply: AgentToken,
  run: ({ at, links }) => presentAgentToken(at.agentToken, at.organization.slug, links),
});

/** The only answer that shows the text of the token; of it, only the digest is kept (spec 5.7). */
const create = command({
  id: 'agentTokens.create',
  summary: 'Create an agent token',
  description: 'The answer is the only one that shows the text of the token.',
  method: 'POST',
  path,
  scope: 'write_clusters',
  status: 201,
  body: open({ description, allowed_ip_addresses: optional(addresses) }),
  reply: NewAgentToken,
  refusals: { 422: 'The body is not valid' },
  command: {
    load: async ({ at }) => at.cluster,
    ids: () => 1,
    secrets: 1,
    decide(cluster, { input, caller, now, ids: [id = ''], secrets: [secret = ''] }) {
      const allowed = addressesOf(input.allowed_ip_addresses ?? null);
      if (allowed === 'malformed') return malformed();
      const token = withChecksum(agentTokenPrefix, secret);
      const row = {
        id,
        version: 1,
        organization_id: cluster.organization_id,
        cluster_id: cluster.id,
        description: input.description,
        allowed_ip_addresses: allowed,
        digest: digestOf(token),
        created_at: now,
        created_by_id: caller?.user.id ?? null,
      };
      return {
        batch: merge({ touch: [reference('cluster', cluster)], insert: [insert('agentToken', row)] }),
        reply: { row, token },
      };
    },
  },
  present: ({ row, token }, { at, links, caller }) => ({
    ...presentAgentToken({ ...row, created_by: caller.user }, at.organization.slug, links),
    token,
  }),
});

const update = command({
  id: 'agentTokens.update',
  summary: 'Update an agent token',
  method: 'PUT',
  alsoMethods: ['PATCH'],
  path: one,
  scope: 'write_clusters',
  status: 200,
  body: open({ description: optional(description), allowed_ip_addresses: optional(addresses) }),
  reply: AgentToken,
  refusals: { 422: 'The body is not valid' },
  command: {
    load: async ({ at }) => at.agentToken,
    decide(token, { input }) {
      const given = input.allowed_ip_addresses;
      const allowed = given === undefined ? token.allowed_ip_addresses : addressesOf(given);
      if (allowed === 'malformed') return malformed();
      const changes = { ...sent({ description: input.description }), allowed_ip_addresses: allowed };
      return { batch: merge({ replace: [replace('agentToken', token, changes)] }), reply: { ...token, ...changes } };
    },
  },
  present: (token, { at, links }) => presentAgentToken(token, at.organization.slug, links),
});

/** A revoked token connects nobody; agents that it has connected stay (decisions 8). */
const revoke = command({
  id: 'agentTokens.revoke',
  summary: 'Revoke an agent token',
  method: 'DELETE',
  path: one,
  scope: 'write_clusters',
  status: 204,
  command: {
    load: async ({ at }) => at.agentToken,
    decide: (token) => ({ batch: merge({ remove: [remove('agentToken', token)] }), reply: null }),
  },
});

/** Agent tokens (spec 4.4). */
export const agentTokens = [listTokens, get, create, update, revoke];
