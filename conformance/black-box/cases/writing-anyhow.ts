import assert from 'node:assert/strict';
import { operations } from '../../../core/operations/index.js';
import { fill } from '../../service/examples.js';
import { type BlackBoxCase, blackBoxCase, writing } from '../case.js';
import { at, idsIn, make, makeCluster } from '../making.js';

const needs = [writing, 'the scope read_clusters', 'the scope write_clusters'];
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
  const cluster = await makeCluster(service);
  const one = `${at(service)}/clusters/${cluster.id}`;
  for (const [type, raw, status] of refusedBodies) {
    const answer = await service.send('PUT', one, { headers: { 'content-type': type }, raw });
    assert.equal(answer.status, status, `${type} with ${String(raw)}: ${answer.text}`);
  }
  assert.deepEqual((await service.send('GET', one)).body, cluster, 'what is refused changes nothing');
});

/** Changes of records that are not there are refused before anything is made of their bodies. */
const nowhere = blackBoxCase('unknown-record.changes', ['decisions 1', 'decisions 2'], [writing], async (service) => {
  for (const { method, path, scope } of operations) {
    if (method === 'GET' || !path.includes('{') || (scope !== null && !service.scopes.includes(scope))) continue;
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    if (names.length < 2) continue;
    const places = Object.fromEntries(
      names.map((name) => [
        name,
        name === 'organization' ? service.organization : '00000000-0000-0000-0000-000000000000',
      ]),
    );
    const { status, body } = await service.send(method, fill(path, places), { body: { name: 5 } });
    assert.equal(status, 404, `${method} ${path}`);
    assert.match(body.message, /^No .* found$/);
  }
});

/** So many try the same at once. */
const crowd = 8;

const oneWinner = blackBoxCase('at-once.one-name-for-one', ['spec 4.3', 'decisions 8'], needs, async (service) => {
  const list = `${at(service)}/clusters`;
  const name = service.name();
  const answers = await Promise.all(
    Array.from({ length: crowd }, () => service.send('POST', list, { body: { name } })),
  );
  for (const { status, body } of answers) if (status === 201) service.deleteLater(`${list}/${body.id}`);
  const lost = answers.filter(({ status }) => status !== 201);
  assert.equal(lost.length, crowd - 1, 'one of them gets the name');
  for (const { status, body } of lost)
    assert.deepEqual([status, body], [422, { message: 'Validation failed: Name has already been taken' }]);
});

const twoFields = blackBoxCase('at-once.nothing-is-lost', ['spec 4.3'], needs, async (service) => {
  const cluster = await makeCluster(service);
  const one = `${at(service)}/clusters/${cluster.id}`;
  const changes = [{ description: 'changed' }, { emoji: ':changed:' }, { color: '#abcdef' }];
  const answers = await Promise.all(changes.map((body) => service.send('PATCH', one, { body })));
  const done = changes.filter((_, index) => answers[index]?.status === 200);
  assert.ok(answers.every(({ status }) => status === 200 || status === 409));
  assert.deepEqual((await service.send('GET', one)).body, Object.assign({ ...cluster }, ...done));
});

/** Queues come in the order in which they were made, so that those that are made meanwhile come last. */
const whileOthersWrite = blackBoxCase(
  'at-once.pages-lose-nothing',
  ['spec 4.9', 'decisions 3'],
  needs,
  async (service) => {
    const cluster = await makeCluster(service);
    const list = `${at(service)}/clusters/${cluster.id}/queues`;
    const before: string[] = [];
    for (let made = 0; made < 12; made += 1) before.push((await make(service, list, { key: `before-${made}` })).id);
    let isOver = false;
    const writer = (async () => {
      const during: string[] = [];
      while (!isOver && during.length < 60)
        during.push((await make(service, list, { key: `during-${during.length}` })).id);
      return during;
    })();
    // Whatever becomes of the walks, nobody goes on writing.
    const walks = await Promise.allSettled([2, 3, 5].map((size) => idsIn(service, list, size)));
    isOver = true;
    const all = [...before, ...(await writer)];
    for (const walk of walks) {
      if (walk.status === 'rejected') throw walk.reason;
      const ids = walk.value;
      assert.equal(new Set(ids).size, ids.length, 'no record twice');
      assert.deepEqual(ids.slice(0, before.length), before, 'none that was there from the beginning is missing');
      assert.deepEqual(ids, all.slice(0, ids.length), 'and those that came meanwhile come in their order');
    }
    assert.deepEqual(await idsIn(service, list), all);
  },
);

export const writingAnyhow: readonly BlackBoxCase[] = [bodies, nowhere, oneWinner, twoFields, whileOthersWrite];
