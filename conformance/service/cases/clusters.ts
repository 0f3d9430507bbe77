import assert from 'node:assert/strict';
import type { Case } from '../../case.js';
import { mergeFixtures, organizationFixture } from '../fixture.js';
import { expectAllRejected, type InvalidBody, textOfLength, unstorableTexts } from '../invalid-bodies.js';
import { fetchRecords, snapshot } from '../records.js';
import { type ServiceHarness, withService } from '../service.js';

const acme = organizationFixture('acme');
const base = '/v2/organizations/acme/clusters';
const uuid = '0190a000-0000-7000-8000-000000000000';

const created: Case<ServiceHarness> = {
  id: 'clusters.create',
  cites: 'spec 2.6, spec 4.3, decisions 4, decisions 8',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      const bare = await service.send('POST', base, { body: { name: 'Bare' } });
      assert.equal(bare.status, 201);
      const { id, created_by, ...rest } = bare.body;
      assert.deepEqual(rest, {
        graphql_id: Buffer.from(`Cluster---${id}`).toString('base64'),
        default_queue_id: null,
        name: 'Bare',
        description: null,
        emoji: null,
        color: null,
        url: `https://api.ci.test${base}/${id}`,
        web_url: `https://ci.test/organizations/acme/clusters/${id}`,
        queues_url: `https://api.ci.test${base}/${id}/queues`,
        default_queue_url: null,
        created_at: '2026-01-05T09:00:00.000Z',
      });
      assert.equal(created_by.email, 'admin@acme.test');
      assert.deepEqual((await service.send('GET', `${base}/${id}`)).body, bare.body);
      assert.deepEqual((await service.send('GET', `${base}/${id}/queues`)).body, [], 'a new cluster has no queues');
      const full = { name: textOfLength(255), description: '', emoji: ':a-b_c+1:', color: '#AbC' };
      const other = await service.send('POST', `${base}/`, { body: full });
      assert.equal(other.status, 201);
      assert.deepEqual({ ...other.body, ...full }, other.body);
      const list = await service.send('GET', base);
      assert.deepEqual(list.body.slice(-2), [bare.body, other.body]);
      const nulls = { name: ' padded ', description: null, emoji: null, color: null };
      const cleared = await service.send('POST', base, { body: nulls });
      assert.deepEqual({ ...cleared.body, ...nulls }, cleared.body, 'texts are stored unchanged');
    }),
};

const invalidBodies: readonly InvalidBody[] = [
  [{ name: '' }, "Validation failed: Name can't be blank"],
  [{ name: ' \t\n' }, "Validation failed: Name can't be blank"],
  [{ name: null }, "Validation failed: Name can't be blank"],
  [{ name: 5 }, 'Validation failed: Name must be a string'],
  [{ name: textOfLength(256) }, 'Validation failed: Name is too long'],
  [{ name: 'acme cluster' }, 'Validation failed: Name has already been taken'],
  ...unstorableTexts.map(
    (name): InvalidBody => [{ name }, 'Validation failed: Name has a character that cannot be stored'],
  ),
  [{ name: 'n', description: textOfLength(10_001) }, 'Validation failed: Description is too long'],
  [{ name: 'n', description: false }, 'Validation failed: Description must be a string'],
  ...['rocket', ':a b:', '::', ':', '', 5].map(
    (emoji): InvalidBody => [{ name: 'n', emoji }, 'Validation failed: Emoji must be of the form :name:'],
  ),
  ...['red', '#12', '#1234', '#12345', '#gggggg', '123456', '#123456\n', '', 7].map(
    (color): InvalidBody => [{ name: 'n', color }, 'Validation failed: Color must be a hex color code'],
  ),
  [
    { color: 'x', emoji: 'y', description: 1, name: '' },
    "Validation failed: Name can't be blank, Description must be a string, Emoji must be of the form :name:, Color must be a hex color code",
  ],
];

const validation: Case<ServiceHarness> = {
  id: 'clusters.validation',
  cites: 'spec 7, decisions 1, decisions 8, decisions 12',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      const before = await snapshot(service, 'acme');
      await expectAllRejected(service, ['POST'], base, [
        [{}, "Validation failed: Name can't be blank"],
        [{ color: 'x' }, "Validation failed: Name can't be blank, Color must be a hex color code"],
        ...invalidBodies,
      ]);
      const { clusters } = JSON.parse(before);
      await expectAllRejected(service, ['PUT', 'PATCH'], `${base}/${clusters[1].id}`, invalidBodies);
      assert.equal(await snapshot(service, 'acme'), before, 'refused requests change nothing');
    }),
};

const updated: Case<ServiceHarness> = {
  id: 'clusters.update',
  cites: 'spec 4.3, decisions 1, decisions 8',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      const [, spare] = (await fetchRecords(service, 'acme')).clusters;
      const one = `${base}/${spare.id}`;
      let expected = (await service.send('GET', one)).body;
      const steps: readonly [method: string, body: object][] = [
        ['PUT', {}],
        ['PATCH', { name: 'Renamed' }],
        ['PUT', { name: 'Renamed' }],
        ['PUT', { description: 'About', emoji: ':a:', color: '#ffffff' }],
        ['PATCH', { description: null }],
        ['PUT', { emoji: null, color: null }],
        ['PATCH', { name: 'acme spare', color: '#000' }],
      ];
      for (const [method, body] of steps) {
        const response = await service.send(method, one, { body });
        expected = { ...expected, ...body };
        assert.deepEqual([response.status, response.body], [200, expected], `${method} ${JSON.stringify(body)}`);
        assert.deepEqual((await service.send('GET', one)).body, expected);
      }
      const freed = await service.send('POST', base, { body: { name: 'Renamed' } });
      assert.equal(freed.status, 201, 'a former name can be used again');
    }),
};

const defaultQueue: Case<ServiceHarness> = {
  id: 'clusters.default-queue',
  cites: 'spec 2.6, spec 4.3, decisions 8',
  run: (harness) =>
    withService(harness, mergeFixtures(acme, organizationFixture('rivals')), async (service) => {
      const { clusters } = await fetchRecords(service, 'acme');
      const theirs = (await fetchRecords(service, 'rivals')).clusters;
      const [main, spare] = clusters;
      const own = spare.queues[0].id;
      const one = `${base}/${spare.id}`;
      const before = await snapshot(service, 'acme');
      const foreign = [main.queues[0].id, theirs[0].queues[0].id, theirs[1].queues[0].id, uuid, spare.id, 'x', ''];
      const message = 'Validation failed: Default queue must be a queue of this cluster';
      await expectAllRejected(service, ['PUT', 'PATCH'], one, [
        ...foreign.map((id): InvalidBody => [{ default_queue_id: id, description: 'no' }, message]),
        [{ default_queue_id: 5 }, 'Validation failed: Default queue must be a string'],
      ]);
      assert.equal(await snapshot(service, 'acme'), before);
      for (const id of [own, own.toUpperCase()]) {
        const { status, body } = await service.send('PUT', one, { body: { default_queue_id: id } });
        assert.equal(status, 200);
        assert.deepEqual(
          [body.default_queue_id, body.default_queue_url],
          [own, `https://api.ci.test${one}/queues/${own}`],
        );
        assert.equal(
          (await service.send('GET', body.default_queue_url.replace('https://api.ci.test', ''))).body.id,
          own,
        );
      }
      const updated = await service.send('PATCH', one, { body: { name: 'Other name' } });
      assert.equal(updated.body.default_queue_id, own);
      const cleared = await service.send('PATCH', one, { body: { default_queue_id: null } });
      assert.deepEqual([cleared.body.default_queue_id, cleared.body.default_queue_url], [null, null]);
    }),
};

const deleted: Case<ServiceHarness> = {
  id: 'clusters.delete-takes-all-with-it',
  cites: 'spec 3.4, spec 4.3, decisions 8',
  run: (harness) =>
    withService(harness, mergeFixtures(acme, organizationFixture('rivals')), async (service) => {
      const rivals = await snapshot(service, 'rivals');
      const { clusters, agents } = await fetchRecords(service, 'acme');
      const [main, spare] = clusters;
      const text = service.agentTokens['acme cluster'] ?? '';
      await service.send('PUT', `/v2/organizations/acme/agents/${agents[0].id}/stop`);
      const one = `${base}/${main.id}`;
      const response = await service.send('DELETE', one);
      assert.deepEqual([response.status, response.text], [204, '']);
      for (const [method, path] of [
        ['GET', ''],
        ['PUT', ''],
        ['DELETE', ''],
        ['GET', '/queues'],
        ['POST', '/queues'],
        ['GET', '/tokens'],
        ...main.queues.map((queue: { id: string }) => ['GET', `/queues/${queue.id}`]),
        ...main.tokens.map((token: { id: string }) => ['GET', `/tokens/${token.id}`]),
      ]) {
        const gone = await service.send(method, one + path);
        assert.deepEqual([gone.status, gone.body], [404, { message: 'No cluster found' }], `${method} ${path}`);
      }
      const elsewhere = await service.send('GET', `${base}/${spare.id}/queues/${main.queues[0].id}`);
      assert.equal(elsewhere.status, 404, 'no other cluster has its queues');
      await assert.rejects(
        service.api.runtime.agents.connect({
          token: text,
          name: 'a',
          hostname: 'h',
          ip_address: '10.0.0.1',
          version: '1',
        }),
        { data: { code: 'agent_token.unknown' } },
      );
      const { body: build } = await service.send('POST', '/v2/organizations/acme/pipelines/web/builds', {
        body: { commit: 'c', branch: 'main' },
      });
      for (const job of build.jobs) assert.equal(job.cluster_id, null, 'its pipelines have no cluster');
      const again = await service.send('POST', base, { body: { name: 'acme cluster' } });
      assert.equal(again.status, 201, 'its name is free');
      assert.deepEqual((await service.send('GET', `${base}/${again.body.id}/queues`)).body, []);
      const agent = await service.send('GET', `/v2/organizations/acme/agents/${agents[0].id}`);
      assert.deepEqual(
        [agent.status, agent.body.connection_state],
        [200, 'stopped'],
        'a former agent of it is expected',
      );
      assert.equal(await snapshot(service, 'rivals'), rivals);
    }),
};

const busy: Case<ServiceHarness> = {
  id: 'clusters.delete-refused-while-agents-are-connected',
  cites: 'spec 7, decisions 8',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      const { clusters, agents } = await fetchRecords(service, 'acme');
      const one = `${base}/${clusters[0].id}`;
      const stop = (force: boolean) =>
        service.send('PUT', `/v2/organizations/acme/agents/${agents[0].id}/stop`, { body: { force } });
      const refused = async () => {
        const before = await snapshot(service, 'acme');
        const response = await service.send('DELETE', one);
        const message = "Cluster can't be deleted while agents are connected to it";
        assert.deepEqual([response.status, response.body], [422, { message }]);
        assert.equal(await snapshot(service, 'acme'), before);
      };
      await refused();
      await stop(false);
      await refused();
      await service.api.runtime.jobs.finish({ job: agents[0].job.id, exit_status: 0 });
      assert.equal(
        (await service.send('DELETE', one)).status,
        204,
        'agents that are not connected do not prevent the deletion',
      );
    }),
};

/** Clusters (spec 2.6, 4.3). */
export const clusters: readonly Case<ServiceHarness>[] = [created, validation, updated, defaultQueue, deleted, busy];
