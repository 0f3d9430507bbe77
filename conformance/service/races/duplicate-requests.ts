import assert from 'node:assert/strict';
import { expectOneWinner, type Race, request } from './race.js';

const base = '/v2/organizations/acme';

const team = {
  description: '',
  privacy: 'visible',
  is_default_team: false,
  default_member_role: 'member',
  members_can_create_pipelines: false,
};

/** The same request twice at the same time: one succeeds, and the other is refused as if it had come later. */
export const duplicateRequestRaces: readonly Race[] = [
  {
    id: 'queues.pause-twice',
    cites: 'spec 3.3, decisions 12',
    async start(service, { clusters: [main] }) {
      const target = `${base}/clusters/${main.id}/queues/${main.queues[0].id}`;
      const pause = (note: string) => request('POST', `${target}/pause_dispatch`, { note });
      return {
        one: pause('one'),
        other: pause('other'),
        async check(one, other) {
          expectOneWinner(200, 422, 'Cluster queue is already paused')(one, other);
          const winner = one.status === 200 ? one : other;
          assert.deepEqual(
            (await service.send('GET', target)).body,
            winner.reply,
            'the note of the request that succeeded',
          );
        },
      };
    },
  },
  {
    id: 'queues.resume-twice',
    cites: 'spec 3.3, decisions 12',
    async start(service, { clusters: [main] }) {
      const target = `${base}/clusters/${main.id}/queues/${main.queues[0].id}`;
      await service.send('POST', `${target}/pause_dispatch`);
      const resume = request('POST', `${target}/resume_dispatch`);
      return { one: resume, other: resume, check: expectOneWinner(200, 422, 'Cluster queue is not paused') };
    },
  },
  {
    id: 'clusters.create-the-same-name-twice',
    cites: 'decisions 8',
    start: async () => {
      const create = request('POST', `${base}/clusters`, { name: 'Same' });
      return {
        one: create,
        other: create,
        check: expectOneWinner(201, 422, 'Validation failed: Name has already been taken'),
      };
    },
  },
  {
    id: 'clusters.rename-two-to-the-same-name',
    cites: 'decisions 8',
    start: async (_service, { clusters: [main, spare] }) => {
      const rename = (id: string) => request('PUT', `${base}/clusters/${id}`, { name: 'Same' });
      return {
        one: rename(main.id),
        other: rename(spare.id),
        check: expectOneWinner(200, 422, 'Validation failed: Name has already been taken'),
      };
    },
  },
  {
    id: 'clusters.change-two-fields-at-once',
    cites: 'spec 4.3',
    async start(service, { clusters: [main] }) {
      const target = `${base}/clusters/${main.id}`;
      return {
        one: request('PUT', target, { description: 'One' }),
        other: request('PATCH', target, { color: '#123' }),
        async check(one, other) {
          assert.deepEqual([one.status, other.status], [200, 200]);
          const { description, color } = (await service.send('GET', target)).body;
          assert.deepEqual([description, color], ['One', '#123'], 'no change is lost');
        },
      };
    },
  },
  {
    id: 'queues.create-the-same-key-twice',
    cites: 'decisions 8',
    start: async (_service, { clusters: [main] }) => {
      const create = request('POST', `${base}/clusters/${main.id}/queues`, { key: 'same' });
      return {
        one: create,
        other: create,
        check: expectOneWinner(201, 422, 'Validation failed: Key has already been taken'),
      };
    },
  },
  {
    id: 'teams.create-the-same-slug-twice',
    cites: 'decisions 9, decisions 12',
    start: async () => {
      const create = (name: string) => request('POST', `${base}/teams`, { ...team, name });
      return {
        one: create('The same'),
        other: create('the SAME!'),
        check: expectOneWinner(201, 422, 'Validation failed: Name has already been taken'),
      };
    },
  },
  {
    id: 'team-suites.add-the-same-twice',
    cites: 'decisions 9',
    start: async (_service, { teams: [one, other] }) => {
      const suite_id = other.suites[0].suite_id;
      const add = request('POST', `${base}/teams/${one.id}/suite/`, { suite_id, access_level: ['read'] });
      const message = 'Validation failed: Suite has already been added to this team';
      return { one: add, other: add, check: expectOneWinner(201, 422, message) };
    },
  },
  {
    id: 'team-pipelines.add-the-same-twice',
    cites: 'decisions 9',
    start: async (_service, { teams: [one, other] }) => {
      const pipeline_id = other.pipelines[0].pipeline_id;
      const add = request('POST', `${base}/teams/${one.id}/pipelines`, { pipeline_id, access_level: 'read_only' });
      const message = 'Validation failed: Pipeline has already been added to this team';
      return { one: add, other: add, check: expectOneWinner(201, 422, message) };
    },
  },
  ...(
    [
      ['clusters', 'cluster', ({ clusters: [, spare] }) => `/clusters/${spare.id}`],
      ['queues', 'cluster queue', ({ clusters: [, spare] }) => `/clusters/${spare.id}/queues/${spare.queues[0].id}`],
      ['agent-tokens', 'cluster token', ({ clusters: [main] }) => `/clusters/${main.id}/tokens/${main.tokens[0].id}`],
      ['teams', 'team', ({ teams: [one] }) => `/teams/${one.id}`],
      ['team-suites', 'team suite', ({ teams: [one] }) => `/teams/${one.id}/suites/${one.suites[0].suite_id}`],
      [
        'team-pipelines',
        'team pipeline',
        ({ teams: [one] }) => `/teams/${one.id}/pipelines/${one.pipelines[0].pipeline_id}`,
      ],
    ] satisfies readonly (readonly [string, string, (records: Parameters<Race['start']>[1]) => string])[]
  ).map(
    ([family, what, target]): Race => ({
      id: `${family}.delete-twice`,
      cites: 'decisions 2',
      start: async (_service, records) => {
        const remove = request('DELETE', base + target(records));
        return { one: remove, other: remove, check: expectOneWinner(204, 404, `No ${what} found`) };
      },
    }),
  ),
];
