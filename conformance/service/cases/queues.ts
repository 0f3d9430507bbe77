import assert from 'node:assert/strict';
import type { Case } from '../../case.js';
import { organizationFixture } from '../fixture.js';
import { expectAllRejected, type InvalidBody, textOfLength, unstorableTexts } from '../invalid-bodies.js';
import { fetchRecords, snapshot } from '../records.js';
import { type ServiceHarness, withService } from '../service.js';

const acme = organizationFixture('acme');

const clustersForQueues = async (service: Parameters<typeof fetchRecords>[0]) => {
  const { clusters } = await fetchRecords(service, 'acme');
  const [main, spare] = clusters;
  return { main, spare, base: `/v2/organizations/acme/clusters/${spare.id}/queues` };
};

const created: Case<ServiceHarness> = {
  id: 'queues.create',
  cites: 'spec 2.7, spec 4.4, decisions 4, decisions 8',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      const { spare, base, main } = await clustersForQueues(service);
      const response = await service.send('POST', base, { body: { key: 'Big_1-x' } });
      assert.equal(response.status, 201);
      const { id, created_by, ...rest } = response.body;
      assert.deepEqual(rest, {
        graphql_id: Buffer.from(`ClusterQueue---${id}`).toString('base64'),
        key: 'Big_1-x',
        description: null,
        url: `https://api.ci.test${base}/${id}`,
        web_url: `https://ci.test/organizations/acme/clusters/${spare.id}/queues/${id}`,
        cluster_url: spare.url,
        dispatch_paused: false,
        dispatch_paused_by: null,
        dispatch_paused_at: null,
        dispatch_paused_note: null,
        created_at: '2026-01-05T09:00:00.000Z',
      });
      assert.equal(created_by.email, 'admin@acme.test');
      assert.deepEqual((await service.send('GET', `${base}/${id}`)).body, response.body);
      assert.deepEqual((await service.send('GET', base)).body.at(-1), response.body);
      for (const key of ['default', 'big_1-x', textOfLength(100)]) {
        const other = await service.send('POST', `${base}/`, { body: { key, description: 'About' } });
        assert.deepEqual([other.status, other.body.key, other.body.description], [201, key, 'About']);
      }
      assert.equal(
        (await service.send('GET', spare.url.replace('https://api.ci.test', ''))).body.default_queue_id,
        null,
      );
      assert.ok(
        main.queues.some((queue: { key: string }) => queue.key === 'default'),
        'keys are unique within a cluster',
      );
    }),
};

const validation: Case<ServiceHarness> = {
  id: 'queues.validation',
  cites: 'spec 7, decisions 8, decisions 12',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      const { spare, base } = await clustersForQueues(service);
      const before = await snapshot(service, 'acme');
      const charset = 'Validation failed: Key may only have letters, digits, - and _';
      await expectAllRejected(service, ['POST'], base, [
        [{}, "Validation failed: Key can't be blank"],
        [{ key: null }, "Validation failed: Key can't be blank"],
        [{ key: '' }, "Validation failed: Key can't be blank"],
        [{ key: textOfLength(101) }, 'Validation failed: Key is too long'],
        [{ key: 'rest' }, 'Validation failed: Key has already been taken'],
        ...['a b', 'a.b', 'ä', 'a\n', ' a', 'a/b', '😀', ...unstorableTexts].map(
          (key): InvalidBody => [{ key }, charset],
        ),
        [{ description: 5 }, "Validation failed: Key can't be blank, Description must be a string"],
        [{ key: 'a', description: textOfLength(10_001) }, 'Validation failed: Description is too long'],
      ]);
      await expectAllRejected(service, ['PUT', 'PATCH'], `${base}/${spare.queues[0].id}`, [
        [{ description: [] }, 'Validation failed: Description must be a string'],
        [{ description: textOfLength(10_001) }, 'Validation failed: Description is too long'],
        [{ description: 'a\0' }, 'Validation failed: Description has a character that cannot be stored'],
      ]);
      assert.equal(await snapshot(service, 'acme'), before, 'refused requests change nothing');
    }),
};

const updated: Case<ServiceHarness> = {
  id: 'queues.update',
  cites: 'spec 4.4, decisions 1, decisions 8',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      const { spare, base } = await clustersForQueues(service);
      let known = spare.queues[0];
      const one = `${base}/${known.id}`;
      for (const [method, sent, changes] of [
        ['PUT', {}, {}],
        ['PUT', { description: 'One' }, { description: 'One' }],
        ['PATCH', { description: 'Two', key: 'other' }, { description: 'Two' }],
        ['PATCH', { description: null }, { description: null }],
        ['PUT', { description: '' }, { description: '' }],
      ] as const) {
        known = { ...known, ...changes };
        const response = await service.send(method, one, { body: sent });
        assert.deepEqual([response.status, response.body], [200, known], `${method} ${JSON.stringify(sent)}`);
        assert.deepEqual((await service.send('GET', one)).body, known);
      }
    }),
};

const notes: readonly (readonly [body: object | undefined, note: string | null])[] = [
  [undefined, null],
  [{}, null],
  [{ dispatch_paused_note: 'First' }, 'First'],
  [{ note: 'Alias' }, 'Alias'],
  [{ note: 'Alias', dispatch_paused_note: 'First' }, 'First'],
  [{ dispatch_paused_note: null, note: null }, null],
];

const paused: Case<ServiceHarness> = {
  id: 'queues.pause-and-resume',
  cites: 'spec 3.3, spec 7, decisions 8',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      const { spare, base } = await clustersForQueues(service);
      const [queue] = spare.queues;
      const one = `${base}/${queue.id}`;
      const member = service.tokens['member@acme.test'] ?? null;
      const idle = {
        dispatch_paused: false,
        dispatch_paused_by: null,
        dispatch_paused_at: null,
        dispatch_paused_note: null,
      };
      for (const [body, note] of notes) {
        service.clock.advance(1_500);
        const at = new Date(service.clock.now()).toISOString();
        const response = await service.send('POST', `${one}/pause_dispatch`, { token: member, body });
        const { dispatch_paused_by: by, ...rest } = response.body;
        const { dispatch_paused_by: _, ...same } = queue;
        assert.equal(response.status, 200);
        assert.equal(by.email, 'member@acme.test');
        assert.deepEqual(rest, { ...same, dispatch_paused: true, dispatch_paused_at: at, dispatch_paused_note: note });
        assert.deepEqual((await service.send('GET', one)).body, response.body);
        service.clock.advance(1_000);
        const late = await service.send('POST', `${one}/pause_dispatch/`, { body: { note: 'Late' } });
        assert.deepEqual([late.status, late.body], [422, { message: 'Cluster queue is already paused' }]);
        assert.deepEqual((await service.send('GET', one)).body, response.body, 'unchanged');
        const described = await service.send('PUT', one, { body: { description: queue.description } });
        assert.deepEqual(described.body, response.body, 'an update does not change the pause');
        const resumed = await service.send('POST', `${one}/resume_dispatch`, body === undefined ? {} : { body: {} });
        assert.deepEqual([resumed.status, resumed.body], [200, { ...queue, ...idle }]);
        const again = await service.send('POST', `${one}/resume_dispatch`);
        assert.deepEqual([again.status, again.body], [422, { message: 'Cluster queue is not paused' }]);
      }
      await expectAllRejected(service, ['POST'], `${one}/pause_dispatch`, [
        [{ dispatch_paused_note: 5 }, 'Validation failed: Dispatch paused note must be a string'],
        [{ note: {} }, 'Validation failed: Note must be a string'],
        [{ note: textOfLength(10_001) }, 'Validation failed: Note is too long'],
      ]);
      assert.deepEqual((await service.send('GET', one)).body, queue);
    }),
};

const dispatch: Case<ServiceHarness> = {
  id: 'queues.paused-hands-out-no-job',
  cites: 'spec 3.3, decisions 8',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      const { clusters } = await fetchRecords(service, 'acme');
      const [main] = clusters;
      const [standard, large] = main.queues;
      const { runtime } = service.api;
      const connect = (name: string, meta_data: string[]) =>
        runtime.agents.connect({
          token: service.agentTokens['acme cluster'] ?? '',
          name,
          hostname: name,
          ip_address: '10.0.0.1',
          version: '1',
          meta_data,
        });
      const running = await connect('running', []);
      const [waiting, other] = [await connect('waiting', []), await connect('other', ['queue=large'])];
      const build = (branch: string) =>
        service.send('POST', '/v2/organizations/acme/pipelines/web/builds', { body: { commit: 'c', branch } });
      await build('one');
      await build('two');
      const job = await runtime.jobs.accept({ agent: running.id });
      await runtime.jobs.start({ job: job?.id ?? '' });
      const at = `/v2/organizations/acme/clusters/${main.id}/queues`;
      await service.send('POST', `${at}/${standard.id}/pause_dispatch`);
      assert.equal(await runtime.jobs.accept({ agent: waiting.id }), null, 'agents get no job of a paused queue');
      const ended = await runtime.jobs.finish({ job: job?.id ?? '', exit_status: 0 });
      assert.equal(ended.state, 'passed', 'running jobs continue');
      assert.equal(await runtime.jobs.accept({ agent: running.id }), null);
      await service.send('POST', `${at}/${large.id}/pause_dispatch`);
      await service.send('POST', `${at}/${large.id}/resume_dispatch`);
      assert.equal(await runtime.jobs.accept({ agent: other.id }), null, 'agents get only jobs of their queue');
      await service.send('POST', `${at}/${standard.id}/resume_dispatch`);
      const next = await runtime.jobs.accept({ agent: waiting.id });
      assert.equal(next?.cluster_queue_id, standard.id, 'agents get jobs of a resumed queue');
    }),
};

const deletion: Case<ServiceHarness> = {
  id: 'queues.delete-refusals-in-order',
  cites: 'spec 7, decisions 8, decisions 12',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      const { main } = await clustersForQueues(service);
      const large = main.queues[1];
      const cluster = `/v2/organizations/acme/clusters/${main.id}`;
      const { runtime } = service.api;
      const agent = await runtime.agents.connect({
        token: service.agentTokens['acme cluster'] ?? '',
        name: 'large',
        hostname: 'large',
        ip_address: '10.0.0.1',
        version: '1',
        meta_data: ['queue=large'],
      });
      const build = await service.send('POST', '/v2/organizations/acme/pipelines/deploy/builds', {
        body: { commit: 'c', branch: 'main' },
      });
      const waiting = build.body.jobs.find((job: { step_key: string }) => job.step_key === 'ship');
      assert.equal(waiting.cluster_queue_id, large.id);
      await service.send('PUT', cluster, { body: { default_queue_id: large.id } });
      const refused = async (reason: string) => {
        const before = await snapshot(service, 'acme');
        const response = await service.send('DELETE', `${cluster}/queues/${large.id}`);
        assert.deepEqual(
          [response.status, response.body],
          [422, { message: `Cluster queue can't be deleted ${reason}` }],
        );
        assert.equal(await snapshot(service, 'acme'), before);
      };
      await refused("because it is the cluster's default queue");
      await service.send('PUT', cluster, { body: { default_queue_id: null } });
      await refused('while agents are connected to it');
      await runtime.agents.disconnect({ agent: agent.id });
      await refused('while jobs are waiting on it');
      await service.send('PUT', `/v2/organizations/acme/pipelines/deploy/builds/${build.body.number}/cancel`);
      await refused('while jobs are waiting on it');
      // The first build is blocked before the same step: its job counts until the build is over.
      const first = '/v2/organizations/acme/pipelines/deploy/builds/1';
      const { jobs } = (await service.send('GET', first)).body;
      await runtime.jobs.unblock({ job: jobs.find((job: { type: string }) => job.type === 'manual').id });
      await service.send('PUT', `${first}/cancel`);
      const gone = await service.send('DELETE', `${cluster}/queues/${large.id}/`);
      assert.deepEqual([gone.status, gone.text], [204, '']);
      const again = await service.send('DELETE', `${cluster}/queues/${large.id}`);
      assert.deepEqual([again.status, again.body], [404, { message: 'No cluster queue found' }]);
      const freed = await service.send('POST', `${cluster}/queues`, { body: { key: 'large' } });
      assert.equal(freed.status, 201, 'its key can be used again');
    }),
};

const defaultQueue: Case<ServiceHarness> = {
  id: 'queues.default-queue-serves-agents-that-name-none',
  cites: 'spec 2.6, decisions 8',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      const { main } = await clustersForQueues(service);
      const cluster = `/v2/organizations/acme/clusters/${main.id}`;
      const { runtime } = service.api;
      const arrive = (meta_data: string[]) =>
        runtime.agents.connect({
          token: service.agentTokens['acme cluster'] ?? '',
          name: 'a',
          hostname: 'h',
          ip_address: '10.0.0.1',
          version: '1',
          meta_data,
        });
      const [unnamed, named] = [await arrive([]), await arrive(['queue=default'])];
      await assert.rejects(arrive(['queue=nowhere']), { data: { code: 'queue.not_found' } });
      const created = await service.send('POST', '/v2/organizations/acme/pipelines/web/builds', {
        body: { commit: 'c', branch: 'x' },
      });
      assert.equal(
        created.body.jobs[0].cluster_queue_id,
        main.queues[0].id,
        'a job without a queue runs on the default queue',
      );
      await service.send('PUT', cluster, { body: { default_queue_id: null } });
      assert.equal(
        await runtime.jobs.accept({ agent: unnamed.id }),
        null,
        'without a default queue the agent gets no jobs',
      );
      await service.send('PUT', cluster, { body: { default_queue_id: main.queues[1].id } });
      assert.equal(await runtime.jobs.accept({ agent: unnamed.id }), null, 'the new default queue applies immediately');
      const later = await service.send('POST', '/v2/organizations/acme/pipelines/web/builds', {
        body: { commit: 'c', branch: 'y' },
      });
      assert.equal(later.body.jobs[0].cluster_queue_id, main.queues[1].id);
      const [mineJob, its] = [
        await runtime.jobs.accept({ agent: unnamed.id }),
        await runtime.jobs.accept({ agent: named.id }),
      ];
      assert.equal(mineJob?.cluster_queue_id, main.queues[1].id);
      assert.equal(its?.cluster_queue_id, main.queues[0].id, 'a job with a queue keeps it');
    }),
};

/** Queues (spec 2.7, 3.3, 4.4). */
export const queues: readonly Case<ServiceHarness>[] = [
  created,
  validation,
  updated,
  paused,
  dispatch,
  deletion,
  defaultQueue,
];
