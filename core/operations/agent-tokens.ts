import { parseCidr } from '../auth/ip-allow-list.js';
import { agentTokenPrefix, digestOf, formatToken } from '../auth/token-format.js';
import { insert, merge, reference, remove, replace } from '../commands/batch.js';
import { errors } from '../errors/index.js';
import { AgentToken, NewAgentToken, renderAgentToken } from '../representations/agent-token.js';
import { looseObject, optional, type Schema, string } from '../schema/schema.js';
import { command, list, read } from './contract/operation.js';
import { omitUndefined } from './fields.js';

const path = '/v2/organizations/{organization}/clusters/{cluster}/tokens';
const itemPath = `${path}/{agentToken}` as const;

const description = string({ maxLength: 10_000, pattern: '\\S', reason: "can't be blank" });

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

/** The addresses as they are stored: a string as sent, an array joined with spaces; null if there are none. */
function normalizeAddresses(given: string | readonly string[] | null): string | null | 'malformed' {
  const joined = typeof given === 'string' || given === null ? given : given.join(' ');
  const entries = (joined ?? '').split(/\s+/).filter((entry) => entry !== '');
  if (!entries.every((entry) => parseCidr(entry))) return 'malformed';
  return entries.length > 0 ? joined : null;
}

const listTokens = list({
  id: 'agentTokens.list',
  summary: 'List agent tokens',
  method: 'GET',
  path,
  scope: 'read_clusters',
  item: AgentToken,
  source: 'agentToken.inCluster',
  where: ({ records }) => ({ cluster: records.cluster.id }),
  render: (rows, { records, links }) => rows.map((token) => renderAgentToken(token, records.organization.slug, links)),
});

const get = read({
  id: 'agentTokens.get',
  summary: 'Get an agent token',
  method: 'GET',
  path: itemPath,
  scope: 'read_clusters',
  reply: AgentToken,
  run: ({ records, links }) => renderAgentToken(records.agentToken, records.organization.slug, links),
});

/** The only response that contains the text of the token. The storage has only its digest (spec 5.7). */
const create = command({
  id: 'agentTokens.create',
  summary: 'Create an agent token',
  description: 'The answer is the only one that shows the text of the token.',
  method: 'POST',
  path,
  scope: 'write_clusters',
  status: 201,
  body: looseObject({ description, allowed_ip_addresses: optional(addresses) }),
  reply: NewAgentToken,
  errors: ['agent_token.invalid_addresses'],
  command: {
    load: async ({ records }) => records.cluster,
    ids: () => 1,
    secrets: 1,
    decide(cluster, { input, caller, now, ids: [id = ''], secrets: [secret = ''] }) {
      const allowed = normalizeAddresses(input.allowed_ip_addresses ?? null);
      if (allowed === 'malformed') return errors.agentTokenInvalidAddresses();
      const token = formatToken(agentTokenPrefix, secret);
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
  render: ({ row, token }, { records, links, caller }) => ({
    ...renderAgentToken({ ...row, created_by: caller.user }, records.organization.slug, links),
    token,
  }),
});

const update = command({
  id: 'agentTokens.update',
  summary: 'Update an agent token',
  method: 'PUT',
  alsoMethods: ['PATCH'],
  path: itemPath,
  scope: 'write_clusters',
  status: 200,
  body: looseObject({ description: optional(description), allowed_ip_addresses: optional(addresses) }),
  reply: AgentToken,
  errors: ['agent_token.invalid_addresses'],
  command: {
    load: async ({ records }) => records.agentToken,
    decide(token, { input }) {
      const given = input.allowed_ip_addresses;
      const allowed = given === undefined ? token.allowed_ip_addresses : normalizeAddresses(given);
      if (allowed === 'malformed') return errors.agentTokenInvalidAddresses();
      const changes = { ...omitUndefined({ description: input.description }), allowed_ip_addresses: allowed };
      return { batch: merge({ replace: [replace('agentToken', token, changes)] }), reply: { ...token, ...changes } };
    },
  },
  render: (token, { records, links }) => renderAgentToken(token, records.organization.slug, links),
});

/** No agent can connect with a revoked token; agents that are connected stay (decisions 8). */
const revoke = command({
  id: 'agentTokens.revoke',
  summary: 'Revoke an agent token',
  method: 'DELETE',
  path: itemPath,
  scope: 'write_clusters',
  status: 204,
  command: {
    load: async ({ records }) => records.agentToken,
    decide: (token) => ({ batch: merge({ remove: [remove('agentToken', token)] }), reply: null }),
  },
});

/** Agent tokens (spec 4.4). */
export const agentTokens = [listTokens, get, create, update, revoke];
