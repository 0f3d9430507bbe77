import assert from 'node:assert/strict';
import { operations } from '../../../core/operations/index.js';
import { fillPath } from '../../service/example-requests.js';
import { type BlackBoxCase, blackBoxCase, writeAccess } from '../case.js';
import { createCluster, createRecord, listIds, organizationPath } from '../write-operations.js';

const needs = [writeAccess, 'the scope read_clusters', 'the scope write_clusters'];
const json = 'application/json';

/** Bodies that no operation takes, each under its content type. */
const refusedBodies: readonly (readonly [type: string, body: string | Uint8Array, status: number])[] = [
  [json, '{"name":', 400],
  [json, '[]', 400],
  [json, 'null', 400],
  [json, Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d), 400],
  [json, '{"__proto__":{"name":"x"}}', 400],
  ['multipart/form-data; boundary=x', '--x\r\n\r\n--x--', 415],
  ['application/x-www-form-urlencoded', 'name=x', 415],
  ['text/plain', '{}', 415],
  [`${json}; charset=utf-16`, '{}', 415],
];

const bodies = blackBoxCase('refused-bodies', ['spec 1.4', 'decisions 1'], needs, async (service) => {
  const cluster = await createCluster(service);
  const one = `${organizationPath(service)}/clusters/${cluster.id}`;
  for (const [type, raw, status] of refusedBodies) {
    const response = await service.send('PUT', one, { headers: { 'content-type': type }, raw });
    assert.equal(response.status, status, `${type} with ${String(raw)}: ${response.text}`);
  }
  assert.deepEqual((await service.send('GET', one)).body, cluster, 'what is refused changes nothing');
});

/** Changes of records that are not there are refused before anything is made of their bodies. */
const unknownRecords = blackBoxCase(
  'unknown-record.changes',
  ['decisions 1', 'decisions 2'],
  [writeAccess],
  async (service) => {
    for (const { method, path, scope } of operations) {
      if (method === 'GET' || !path.includes('{') || (scope !== null && !service.scopes.includes(scope))) continue;
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
      if (names.length < 2) continue;
      const pathParams = Object.fromEntries(
        names.map((name) => [
          name,
          name === 'organization' ? service.organization : '00000000-0000-0000-0000-000000000000',
        ]),
      );
      const { status, body } = await service.send(method, fillPath(path, pathParams), { body: { name: 5 } });
      assert.equal(status, 404, `${method} ${path}`);
      assert.match(body.message, /^No .* found$/);
    }
  },
);

/** So many try the same at once. */
const concurrency = 8;

const oneWinner = blackBoxCase('at-once.one-name-for-one', ['spec 4.3', 'decisions 8'], needs, async (service) => {
  const list = `${organizationPath(service)}/clusters`;
  const name = service.uniqueName();
  const responses = await Promise.all(
    Array.from({ length: concurrency }, () => service.send('POST', list, { body: { name } })),
  );
  for (const { status, body } of responses) if (status === 201) service.deleteLater(`${list}/${body.id}`);
  const lost = responses.filter(({ status }) => status !== 201);
  assert.equal(lost.length, concurrency - 1, 'one of them gets the name');
  for (const { status, body } of lost)
    assert.deepEqual([status, body], [422, { message: 'Validation failed: Name has already been taken' }]);
});

const twoFields = blackBoxCase('at-once.nothing-is-lost', ['spec 4.3'], needs, async (service) => {
  const cluster = await createCluster(service);
  const one = `${organizationPath(service)}/clusters/${cluster.id}`;
  const changes = [{ description: 'changed' }, { emoji: ':changed:' }, { color: '#abcdef' }];
  const responses = await Promise.all(changes.map((body) => service.send('PATCH', one, { body })));
  const done = changes.filter((_, index) => responses[index]?.status === 200);
  assert.ok(responses.every(({ status }) => status === 200 || status === 409));
  assert.deepEqual((await service.send('GET', one)).body, Object.assign({ ...cluster }, ...done));
});

/** Queues come in the order in which they were made, so that those that are made meanwhile come last. */
const whileOthersWrite = blackBoxCase(
  'at-once.pages-lose-nothing',
  ['spec 4.9', 'decisions 3'],
  needs,
  async (service) => {
    const cluster = await createCluster(service);
    const list = `${organizationPath(service)}/clusters/${cluster.id}/queues`;
    const before: string[] = [];
    for (let made = 0; made < 12; made += 1)
      before.push((await createRecord(service, list, { key: `before-${made}` })).id);
    let isOver = false;
    const writer = (async () => {
      const during: string[] = [];
      while (!isOver && during.length < 60)
        during.push((await createRecord(service, list, { key: `during-${during.length}` })).id);
      return during;
    })();
    // Whatever becomes of the walks, nobody goes on writing.
    const walks = await Promise.allSettled([2, 3, 5].map((size) => listIds(service, list, size)));
    isOver = true;
    const all = [...before, ...(await writer)];
    for (const walk of walks) {
      if (walk.status === 'rejected') throw walk.reason;
      const ids = walk.value;
      assert.equal(new Set(ids).size, ids.length, 'no record twice');
      assert.deepEqual(ids.slice(0, before.length), before, 'none that was there from the beginning is missing');
      assert.deepEqual(ids, all.slice(0, ids.length), 'and those that came meanwhile come in their order');
    }
    assert.deepEqual(await listIds(service, list), all);
  },
);

export const requestBodyAndConcurrencyCases: readonly BlackBoxCase[] = [
  bodies,
  unknownRecords,
  oneWinner,
  twoFields,
  whileOthersWrite,
];
