import assert from 'node:assert/strict';
import { operations } from '../../api/index.js';
import { fillPath } from '../../service/example-requests.js';
import { type BlackBoxCase, blackBoxCase, writeAccess } from '../case.js';
import { createCluster, createRecord, listIds, organizationPath } from '../write-operations.js';

const needs = [writeAccess, 'the scope read_clusters', 'the scope write_clusters'];
const json = 'application/json';

/** Bodies that every operation refuses, each with its content type. */
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
  assert.deepEqual((await service.send('GET', one)).body, cluster, 'refused requests change nothing');
});

/** Commands on records that do not exist answer 404 before their bodies are validated. */
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

/** Number of requests that are sent at the same time. */
const concurrency = 8;

const oneWinner = blackBoxCase('at-once.one-name-for-one', ['spec 4.3', 'decisions 8'], needs, async (service) => {
  const list = `${organizationPath(service)}/clusters`;
  const name = service.uniqueName();
  const responses = await Promise.all(
    Array.from({ length: concurrency }, () => service.send('POST', list, { body: { name } })),
  );
  for (const { status, body } of responses) if (status === 201) service.deleteLater(`${list}/${body.id}`);
  const rejected = responses.filter(({ status }) => status !== 201);
  assert.equal(rejected.length, concurrency - 1, 'exactly one request gets the name');
  for (const { status, body } of rejected)
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

/** Queues are listed in order of creation, so that queues created during the reads come last. */
const whileOthersWrite = blackBoxCase(
  'at-once.pages-lose-nothing',
  ['spec 4.9', 'decisions 3'],
  needs,
  async (service) => {
    const cluster = await createCluster(service);
    const list = `${organizationPath(service)}/clusters/${cluster.id}/queues`;
    const before: string[] = [];
    for (let index = 0; index < 12; index += 1)
      before.push((await createRecord(service, list, { key: `before-${index}` })).id);
    let isReadingDone = false;
    const writer = (async () => {
      const during: string[] = [];
      while (!isReadingDone && during.length < 60)
        during.push((await createRecord(service, list, { key: `during-${during.length}` })).id);
      return during;
    })();
    // The writer must stop even if a read fails.
    const reads = await Promise.allSettled([2, 3, 5].map((size) => listIds(service, list, size)));
    isReadingDone = true;
    const all = [...before, ...(await writer)];
    for (const read of reads) {
      if (read.status === 'rejected') throw read.reason;
      const ids = read.value;
      assert.equal(new Set(ids).size, ids.length, 'no record appears twice');
      assert.deepEqual(ids.slice(0, before.length), before, 'no record created before the reads is missing');
      assert.deepEqual(ids, all.slice(0, ids.length), 'records created during the reads are in order of creation');
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
