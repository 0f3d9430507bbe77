import assert from 'node:assert/strict';
import type { Storage } from '../../../core/index.js';
import type { QueryArgs, QueryName } from '../../../core/model/index.js';
import type { Service } from '../service.js';
import { apiCall, type Outcome, type Race, request } from './race.js';

const base = '/v2/organizations/acme';

/** Expects that a query finds no records. */
async function expectNone<Q extends QueryName>(storage: Storage, query: Q, args: QueryArgs<Q>): Promise<void> {
  assert.deepEqual(await storage.select(query, args, 10), [], `${query} ${JSON.stringify(args)}`);
}

/** Expects one of the allowed pairs of statuses. */
function expectStatuses(one: Outcome, other: Outcome, ...allowed: readonly (readonly [number, number])[]): void {
  const came = [one.status, other.status];
  assert.ok(
    allowed.some((pair) => pair[0] === came[0] && pair[1] === came[1]),
    `${came}: ${one.message}, ${other.message}`,
  );
}

const connectInput = (service: Service, meta_data: string[] = []) => ({
  token: service.agentTokens['acme spare'] ?? '',
  name: 'late',
  hostname: 'late',
  ip_address: '10.0.0.1',
  version: '1',
  meta_data,
});

/** A pipeline whose jobs run on the queue `rest`. */
const restPipeline = {
  organization: 'acme',
  slug: 'resting',
  repository: 'git@rest',
  cluster: 'acme spare',
  steps: [{ command: 'make', agent_query_rules: ['queue=rest'] }],
};

const buildsPath = (pipeline: string) => `${base}/pipelines/${pipeline}/builds`;

/** A record is deleted while a child is created: one of the two is refused, or the child is deleted too. No orphan remains. */
export const orphanRaces: readonly Race[] = [
  {
    id: 'clusters.delete-while-an-agent-connects',
    cites: 'spec 3.4, decisions 8',
    async start(service, { clusters: [, spare] }, storage) {
      return {
        one: request('DELETE', `${base}/clusters/${spare.id}`),
        other: apiCall((api) => api.runtime.agents.connect(connectInput(service))),
        async check(one, other) {
          expectStatuses(one, other, [204, 401], [422, 200]);
          if (one.status === 204)
            await expectNone(storage, 'agent.inCluster', { cluster: spare.id, connection_state: ['connected'] });
          else assert.equal(one.message, "Cluster can't be deleted while agents are connected to it");
        },
      };
    },
  },
  ...(['queues', 'tokens'] as const).map(
    (kind): Race => ({
      id: `clusters.delete-while-${kind === 'queues' ? 'a-queue' : 'an-agent-token'}-is-created`,
      cites: 'spec 3.4',
      async start(_service, { clusters: [, spare] }, storage) {
        return {
          one: request('DELETE', `${base}/clusters/${spare.id}`),
          other: request('POST', `${base}/clusters/${spare.id}/${kind}`, { key: 'late', description: 'late' }),
          async check(one, other) {
            expectStatuses(one, other, [204, 404], [204, 201]);
            await expectNone(storage, 'queue.inCluster', { cluster: spare.id });
            await expectNone(storage, 'agentToken.inCluster', { cluster: spare.id });
          },
        };
      },
    }),
  ),
  {
    id: 'clusters.delete-while-a-pipeline-is-provisioned',
    cites: 'spec 3.4',
    async start(_service, { clusters: [, spare] }, storage) {
      const pipeline = { organization: 'acme', slug: 'late', repository: 'git@late', cluster: 'acme spare' };
      return {
        one: request('DELETE', `${base}/clusters/${spare.id}`),
        other: apiCall((api) => api.provision.pipeline(pipeline)),
        async check(one, other) {
          expectStatuses(one, other, [204, 200], [204, 422]);
          await expectNone(storage, 'pipeline.inCluster', { cluster: spare.id });
        },
      };
    },
  },
  {
    id: 'clusters.delete-while-a-queue-becomes-its-default',
    cites: 'spec 3.4',
    async start(_service, { clusters: [, spare] }, storage) {
      return {
        one: request('DELETE', `${base}/clusters/${spare.id}`),
        other: request('PUT', `${base}/clusters/${spare.id}`, { default_queue_id: spare.queues[0].id }),
        async check(one, other) {
          expectStatuses(one, other, [204, 404], [204, 200]);
          await expectNone(storage, 'queue.inCluster', { cluster: spare.id });
        },
      };
    },
  },
  {
    id: 'queues.delete-while-a-build-that-needs-it-is-created',
    cites: 'decisions 8, decisions 12',
    async start(service, { clusters: [, spare] }, storage) {
      const rest = spare.queues[0];
      await service.api.provision.pipeline(restPipeline);
      return {
        one: request('DELETE', `${base}/clusters/${spare.id}/queues/${rest.id}`),
        other: request('POST', buildsPath('resting'), { commit: 'c', branch: 'main' }),
        async check(one, other) {
          expectStatuses(one, other, [204, 201], [422, 201]);
          const [job] = other.reply.jobs;
          if (one.status === 204) assert.equal(job.cluster_queue_id, null);
          else {
            assert.equal(job.cluster_queue_id, rest.id);
            assert.equal(one.message, "Cluster queue can't be deleted while jobs are waiting on it");
          }
          if (one.status === 204)
            await expectNone(storage, 'job.inQueue', { queue: rest.id, state: ['pending', 'scheduled'] });
        },
      };
    },
  },
  {
    id: 'queues.delete-while-a-job-of-it-is-retried',
    cites: 'decisions 6, decisions 8',
    async start(service, { clusters: [, spare] }, storage) {
      const { api } = service;
      const rest = spare.queues[0];
      await api.provision.pipeline(restPipeline);
      await service.send('POST', buildsPath('resting'), { body: { commit: 'c', branch: 'main' } });
      const agent = await api.runtime.agents.connect(connectInput(service, ['queue=rest']));
      const job = (await api.runtime.jobs.accept({ agent: agent.id }))?.id ?? '';
      await api.runtime.jobs.start({ job });
      await api.runtime.jobs.finish({ job, exit_status: 1 });
      await api.runtime.agents.disconnect({ agent: agent.id });
      return {
        one: request('DELETE', `${base}/clusters/${spare.id}/queues/${rest.id}`),
        other: apiCall((api) => api.runtime.jobs.retry({ job })),
        async check(one, other) {
          expectStatuses(one, other, [204, 422], [422, 200]);
          if (one.status === 204) {
            assert.equal(other.message, "Job can't be retried because its queue has been deleted");
            await expectNone(storage, 'job.inQueue', { queue: rest.id, state: ['pending', 'scheduled'] });
          }
        },
      };
    },
  },
  {
    id: 'queues.delete-while-a-build-is-provisioned',
    cites: 'decisions 8',
    async start(service, { clusters: [, spare] }, storage) {
      const rest = spare.queues[0];
      await service.api.provision.pipeline(restPipeline);
      const build = { organization: 'acme', pipeline: 'resting', commit: 'c', branch: 'main' };
      return {
        one: request('DELETE', `${base}/clusters/${spare.id}/queues/${rest.id}`),
        other: apiCall((api) => api.provision.build(build)),
        async check(one, other) {
          expectStatuses(one, other, [204, 200], [422, 200]);
          if (one.status === 204)
            await expectNone(storage, 'job.inQueue', { queue: rest.id, state: ['pending', 'scheduled'] });
        },
      };
    },
  },
  {
    id: 'queues.delete-while-an-agent-connects-to-it',
    cites: 'decisions 8',
    async start(service, { clusters: [, spare] }, storage) {
      const rest = spare.queues[0];
      return {
        one: request('DELETE', `${base}/clusters/${spare.id}/queues/${rest.id}`),
        other: apiCall((api) => api.runtime.agents.connect(connectInput(service, ['queue=rest']))),
        async check(one, other) {
          expectStatuses(one, other, [204, 404], [422, 200]);
          if (one.status === 204)
            await expectNone(storage, 'agent.onQueue', { queue: rest.id, connection_state: ['connected'] });
          else assert.equal(one.message, "Cluster queue can't be deleted while agents are connected to it");
        },
      };
    },
  },
  {
    id: 'queues.delete-while-it-becomes-the-default',
    cites: 'spec 2.6, decisions 8',
    async start(service, { clusters: [, spare] }) {
      const target = `${base}/clusters/${spare.id}`;
      const rest = spare.queues[0];
      return {
        one: request('DELETE', `${target}/queues/${rest.id}`),
        other: request('PUT', target, { default_queue_id: rest.id }),
        async check(one, other) {
          expectStatuses(one, other, [204, 422], [422, 200]);
          const { default_queue_id } = (await service.send('GET', target)).body;
          assert.equal(default_queue_id, one.status === 204 ? null : rest.id);
          if (one.status === 422) assert.match(one.message ?? '', /because it is the cluster's default queue$/);
        },
      };
    },
  },
  {
    id: 'agent-tokens.revoke-while-an-agent-connects',
    cites: 'decisions 8',
    start: async (service, { clusters: [, spare] }) => ({
      one: request('DELETE', `${base}/clusters/${spare.id}/tokens/${spare.tokens[0].id}`),
      other: apiCall((api) => api.runtime.agents.connect(connectInput(service))),
      check: (one, other, staleSide) =>
        staleSide === 'other'
          ? expectStatuses(one, other, [204, 401])
          : expectStatuses(one, other, [204, 200], [204, 401]),
    }),
  },
  {
    id: 'queues.pause-while-a-job-is-accepted',
    cites: 'spec 3.3, decisions 8',
    async start(service, { clusters: [main] }) {
      await service.send('POST', buildsPath('web'), { body: { commit: 'c', branch: 'x' } });
      const late = { ...connectInput(service), token: service.agentTokens['acme cluster'] ?? '' };
      const agent = await service.api.runtime.agents.connect(late);
      return {
        one: request('POST', `${base}/clusters/${main.id}/queues/${main.queues[0].id}/pause_dispatch`),
        other: apiCall((api) => api.runtime.jobs.accept({ agent: agent.id })),
        async check(one, other, staleSide) {
          expectStatuses(one, other, [200, 200]);
          if (staleSide === 'other') assert.equal(other.reply, null, 'the agent gets no job of a paused queue');
          const { body } = await service.send('GET', `${base}/agents/${agent.id}`);
          assert.equal(body.job?.id, other.reply?.id, 'the agent has a job only if it accepted it before the pause');
        },
      };
    },
  },
  ...(
    [
      ['suite', 'suites', 'teamSuite.ofTeam'],
      ['pipeline', 'pipelines', 'teamPipeline.ofTeams'],
    ] as const
  ).map(
    ([what, path, query]): Race => ({
      id: `teams.delete-while-a-${what}-is-added`,
      cites: 'spec 4.5',
      async start(_service, { teams: [one, other] }, storage) {
        const body = {
          [`${what}_id`]: other[path][0][`${what}_id`],
          access_level: what === 'suite' ? ['read'] : 'read_only',
        };
        return {
          one: request('DELETE', `${base}/teams/${one.id}`),
          other: request('POST', `${base}/teams/${one.id}/${path}`, body),
          async check(deleted, added) {
            expectStatuses(deleted, added, [204, 404], [204, 201]);
            if (query === 'teamSuite.ofTeam') await expectNone(storage, query, { team: one.id });
            else await expectNone(storage, query, { teams: [one.id] });
          },
        };
      },
    }),
  ),
  {
    id: 'teams.delete-while-a-user-joins',
    cites: 'spec 2.9, spec 4.5',
    async start(service, { teams: [team] }, storage) {
      await service.send('PATCH', `${base}/teams/${team.id}`, { body: { is_default_team: true } });
      const user = { name: 'Late', email: 'late@acme.test', organizations: [{ organization: 'acme' }] };
      return {
        one: request('DELETE', `${base}/teams/${team.id}`),
        other: apiCall((api) => api.provision.user(user)),
        async check(one, other) {
          expectStatuses(one, other, [204, 200]);
          await expectNone(storage, 'teamMember.ofTeam', { team: team.id });
        },
      };
    },
  },
];
