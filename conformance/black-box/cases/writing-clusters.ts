import assert from 'node:assert/strict';
import { type BlackBoxCase, blackBoxCase, writeAccess } from '../case.js';
import {
  createCluster,
  createRecord,
  expectDeleted,
  expectRejected,
  expectUpdates,
  listIds,
  organizationPath,
} from '../write-operations.js';

const needs = [writeAccess, 'the scope read_clusters', 'the scope write_clusters'];
const textOfLength = (length: number): string => 'x'.repeat(length);

/** Texts that databases, encodings and proxies are known to handle wrongly. */
const texts = ["it's", '"quoted" \\ % _ $1', '\t\r\n', ' padded ', 'é e\u0301', '\u{1f600}', '<b>&amp;</b>', 'İı'];

const clusters = blackBoxCase('clusters', ['spec 2.6', 'spec 4.3', 'decisions 8'], needs, async (service) => {
  const list = `${organizationPath(service)}/clusters`;
  const created = await createCluster(service, { description: 'About', emoji: ':wrench:', color: '#0a0B0c' });
  const one = `${list}/${created.id}`;
  assert.equal(created.default_queue_id, null);
  assert.deepEqual((await service.send('GET', one)).body, created);
  assert.ok((await listIds(service, list)).includes(created.id), 'the list has the cluster');
  assert.deepEqual((await service.send('GET', `${one}/queues`)).body, [], 'a new cluster has no queues');
  await expectUpdates(service, one, created, [
    ['PUT', {}],
    ['PATCH', { name: service.uniqueName() }],
    ['PUT', { emoji: null, color: null }],
    ...texts.map((description) => ['PATCH', { description }] as const),
    ['PUT', { description: null }],
  ]);
  await expectDeleted(service, one, 'cluster');
  assert.ok(!(await listIds(service, list)).includes(created.id), 'the list no longer has the cluster');
});

const clusterRefusals = blackBoxCase('clusters.validation', ['spec 7', 'decisions 8'], needs, async (service) => {
  const other = await createCluster(service);
  const created = await createCluster(service);
  const one = `${organizationPath(service)}/clusters/${created.id}`;
  const invalidBodies = [
    [{ name: ' ' }, "Validation failed: Name can't be blank"],
    [{ name: 5 }, 'Validation failed: Name must be a string'],
    [{ name: textOfLength(256) }, 'Validation failed: Name is too long'],
    [{ name: 'a\0b' }, 'Validation failed: Name has a character that cannot be stored'],
    [{ name: other.name }, 'Validation failed: Name has already been taken'],
    [{ name: service.uniqueName(), color: 'red' }, 'Validation failed: Color must be a hex color code'],
    [{ name: '', emoji: 'x' }, "Validation failed: Name can't be blank, Emoji must be of the form :name:"],
  ] as const;
  await expectRejected(service, 'POST', `${organizationPath(service)}/clusters`, [
    [{}, "Validation failed: Name can't be blank"],
    ...invalidBodies,
  ]);
  for (const method of ['PUT', 'PATCH']) await expectRejected(service, method, one, invalidBodies);
  assert.deepEqual((await service.send('GET', one)).body, created, 'refused requests change nothing');
});

const queues = blackBoxCase('queues', ['spec 2.7', 'spec 4.4', 'decisions 8'], needs, async (service) => {
  const cluster = await createCluster(service);
  const home = `${organizationPath(service)}/clusters/${cluster.id}`;
  const created = await createRecord(service, `${home}/queues`, { key: 'first', description: 'About' });
  const one = `${home}/queues/${created.id}`;
  assert.deepEqual((await service.send('GET', one)).body, created);
  await expectRejected(service, 'POST', `${home}/queues`, [
    [{}, "Validation failed: Key can't be blank"],
    [{ key: 'first' }, 'Validation failed: Key has already been taken'],
  ]);
  await expectUpdates(service, one, created, [
    ['PUT', { description: 'Other' }],
    ['PATCH', { description: null }],
  ]);
  const chosen = await service.send('PUT', home, { body: { default_queue_id: created.id } });
  assert.deepEqual([chosen.status, chosen.body.default_queue_id], [200, created.id]);
  const refusedDelete = await service.send('DELETE', one);
  const message = "Cluster queue can't be deleted because it is the cluster's default queue";
  assert.deepEqual([refusedDelete.status, refusedDelete.body], [422, { message }]);
  await service.send('PUT', home, { body: { default_queue_id: null } });
  await expectDeleted(service, one, 'cluster queue');
});

const pausing = blackBoxCase('queues.pause-and-resume', ['spec 3.3', 'spec 7'], needs, async (service) => {
  const cluster = await createCluster(service);
  const list = `${organizationPath(service)}/clusters/${cluster.id}/queues`;
  const queue = await createRecord(service, list, { key: 'first' });
  const sendVerb = (verb: string, body?: object) =>
    service.send('POST', `${list}/${queue.id}/${verb}_dispatch`, body === undefined ? {} : { body });
  const paused = await sendVerb('pause', { note: 'Why' });
  assert.deepEqual([paused.status, paused.body.dispatch_paused, paused.body.dispatch_paused_note], [200, true, 'Why']);
  assert.deepEqual((await service.send('GET', `${list}/${queue.id}`)).body, paused.body);
  const late = await sendVerb('pause', { note: 'Late' });
  assert.deepEqual([late.status, late.body], [422, { message: 'Cluster queue is already paused' }]);
  const resumed = await sendVerb('resume');
  assert.deepEqual([resumed.status, resumed.body], [200, queue], 'resuming restores the queue');
  const twice = await sendVerb('resume');
  assert.deepEqual([twice.status, twice.body], [422, { message: 'Cluster queue is not paused' }]);
});

const tokens = blackBoxCase('agent-tokens', ['spec 2.8', 'spec 4.4', 'decisions 8'], needs, async (service) => {
  const cluster = await createCluster(service);
  const list = `${organizationPath(service)}/clusters/${cluster.id}/tokens`;
  const { token, ...created } = await createRecord(service, list, {
    description: 'First',
    allowed_ip_addresses: '10.0.0.0/8',
  });
  const one = `${list}/${created.id}`;
  assert.ok(typeof token === 'string' && token.length >= 30, 'the response to the creation shows the token');
  const rendered = await service.send('GET', one);
  assert.deepEqual(rendered.body, created, 'later responses do not show the token');
  assert.ok(!(await service.send('GET', list)).text.includes(token));
  await expectRejected(service, 'POST', list, [[{}, "Validation failed: Description can't be blank"]]);
  await expectUpdates(service, one, created, [
    ['PUT', { description: 'Second' }],
    ['PATCH', { allowed_ip_addresses: null }],
  ]);
  await expectDeleted(service, one, 'cluster token');
});

const cascadingDelete = blackBoxCase('clusters.delete-takes-all-with-it', ['spec 3.4'], needs, async (service) => {
  const cluster = await createCluster(service);
  const home = `${organizationPath(service)}/clusters/${cluster.id}`;
  const queue = await createRecord(service, `${home}/queues`, { key: 'first' });
  const token = await createRecord(service, `${home}/tokens`, { description: 'First' });
  await expectDeleted(service, home, 'cluster');
  for (const path of ['/queues', '/tokens', `/queues/${queue.id}`, `/tokens/${token.id}`]) {
    const { status, body } = await service.send('GET', home + path);
    assert.deepEqual([status, body], [404, { message: 'No cluster found' }], path);
  }
});

export const writingClusters: readonly BlackBoxCase[] = [
  clusters,
  clusterRefusals,
  queues,
  pausing,
  tokens,
  cascadingDelete,
];
