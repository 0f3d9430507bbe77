import assert from 'node:assert/strict';
import { get, idOf, lists, looks, oneOf, type Shown, standing, targetIn } from '../asking.js';
import { type BlackBoxCase, blackBoxCase, needsOf } from '../case.js';

/** Every operation that only looks: that it answers, in the shape that is declared. `send` looks at the shape. */
const answers: readonly BlackBoxCase[] = looks.map((operation) =>
  blackBoxCase(`answers.${operation.id}`, ['spec 2', 'spec 4', 'decisions 4'], needsOf(operation), async (service) => {
    const target = targetIn(service, operation);
    await get(service, target);
    if (target !== '/') await get(service, `${target}/`);
  }),
);

/** Headers that say something about the answer; others are the business of servers and proxies. */
const telling = ['content-type', 'link', 'access-control-allow-origin', 'access-control-expose-headers'];

const heads: readonly BlackBoxCase[] = looks.map((operation) =>
  blackBoxCase(`head.${operation.id}`, ['decisions 1'], needsOf(operation), async (service) => {
    const target = `${targetIn(service, operation)}?per_page=1`;
    await standing(
      async () => (await service.send('GET', target)).headers.link,
      async () => {
        const [whole, head] = [await service.send('GET', target), await service.send('HEAD', target)];
        assert.deepEqual([head.status, head.text], [200, ''], `HEAD ${target}`);
        for (const name of telling) assert.equal(head.headers[name], whole.headers[name], `${name} of HEAD ${target}`);
      },
    );
  }),
);

/** So many records of a list are asked for one by one. */
const sample = 5;

/** What a list shows of a record, and what the record shows of itself. */
const asListed: readonly BlackBoxCase[] = lists.flatMap((operation) => {
  const one = oneOf(operation);
  if (one === undefined) return [];
  return blackBoxCase(`as-listed.${operation.id}`, ['spec 4', 'decisions 4'], needsOf(one), async (service) => {
    const target = targetIn(service, operation);
    const list = (): Promise<Shown[]> => get(service, `${target}?per_page=${sample}`);
    const place = (shown: Shown) => (operation.id.startsWith('builds.') ? String(shown.number) : idOf(shown));
    await standing(list, async () => {
      for (const shown of await list()) {
        assert.deepEqual(await get(service, `${target}/${encodeURIComponent(place(shown))}`), shown);
      }
    });
  });
});

/** Builds of a pipeline are builds of its organization, and those are builds of all that the token is for. */
const contained = blackBoxCase('as-listed.builds-of-all', ['spec 4.2'], ['the scope read_builds'], async (service) => {
  const organization = encodeURIComponent(service.organization);
  const ids = async (path: string) => (await get(service, `${path}?per_page=100`)).map(idOf) as string[];
  const own = `/v2/organizations/${organization}/builds`;
  await standing(
    () => ids(own),
    async () => {
      const [all, ours] = [await ids('/v2/builds'), await ids(own)];
      const seen = all.filter((id) => ours.includes(id));
      // Where a page holds some builds of the organization, it holds the newest of them.
      assert.deepEqual(seen, ours.slice(0, seen.length));
      if (all.length < 100) assert.equal(seen.length, ours.length);
    },
  );
});

const root = blackBoxCase('root', ['spec 1.6'], [], async (service) => {
  for (const token of [null, 'nobody']) {
    const { status, body } = await service.send('GET', '/', { token });
    assert.equal(status, 200);
    assert.ok(body.timestamp > 1_700_000_000, 'seconds since 1970');
  }
});

const requestIds = blackBoxCase('request-id', ['decisions 1', 'decisions 12'], [], async (service) => {
  const idFor = async (given: string) => {
    const answer = await service.send('GET', '/v2/nowhere', { headers: { 'x-request-id': given } });
    return answer.headers['x-request-id'];
  };
  for (const sane of ['a', 'A-b_c.9', 'x'.repeat(128)]) assert.equal(await idFor(sane), sane);
  for (const other of ['a b', 'x'.repeat(129), 'a,b']) assert.notEqual(await idFor(other), other);
  assert.notEqual(await idFor(''), await idFor(''), 'each request has one of its own');
});

/** Whoever follows an address of an answer comes back to this service. */
const addresses = blackBoxCase('addresses-lead-back', ['spec 4.9', 'decisions 4'], [], async (service) => {
  const { base, scopes, landmarks } = service;
  for (const operation of lists) {
    const [scope, ...records] = [operation.scope, ...operation.path.matchAll(/\{(\w+)\}/g)];
    if (scope !== null && !scopes.includes(scope)) continue;
    if (records.some((match) => !((match?.[1] ?? '') in landmarks))) continue;
    const target = targetIn(service, operation);
    const { body, headers } = await service.send('GET', `${target}?per_page=1&page=2`);
    const told = [
      ...body.flatMap((shown: Shown) => shown.url ?? []),
      ...[...(headers.link ?? '').matchAll(/<([^>]*)>/g)].map(([, address = '']) => address),
    ];
    for (const address of told) assert.ok(address.startsWith(`${base}/`), `${address} is not below ${base}`);
  }
});

export const readingCases: readonly BlackBoxCase[] = [
  root,
  requestIds,
  ...answers,
  ...heads,
  ...asListed,
  contained,
  addresses,
];
