import assert from 'node:assert/strict';
import { type BlackBoxCase, blackBoxCase, needsOf } from '../case.js';
import {
  getBody,
  getOperations,
  listOperations,
  type RenderedRecord,
  readOperationOf,
  recordId,
  retryUntilUnchanged,
  targetFor,
} from '../read-operations.js';

/** Every GET operation answers 200 in its declared shape. `send` checks the shape. */
const responseSchemas: readonly BlackBoxCase[] = getOperations.map((operation) =>
  blackBoxCase(`answers.${operation.id}`, ['spec 2', 'spec 4', 'decisions 4'], needsOf(operation), async (service) => {
    const target = targetFor(service, operation);
    await getBody(service, target);
    if (target !== '/') await getBody(service, `${target}/`);
  }),
);

/** Headers that the API sets. Others belong to servers and proxies and are not compared. */
const comparedHeaders = ['content-type', 'link', 'access-control-allow-origin', 'access-control-expose-headers'];

const heads: readonly BlackBoxCase[] = getOperations.map((operation) =>
  blackBoxCase(`head.${operation.id}`, ['decisions 1'], needsOf(operation), async (service) => {
    const target = `${targetFor(service, operation)}?per_page=1`;
    await retryUntilUnchanged(
      async () => (await service.send('GET', target)).headers.link,
      async () => {
        const [whole, head] = [await service.send('GET', target), await service.send('HEAD', target)];
        assert.deepEqual([head.status, head.text], [200, ''], `HEAD ${target}`);
        for (const name of comparedHeaders)
          assert.equal(head.headers[name], whole.headers[name], `${name} of HEAD ${target}`);
      },
    );
  }),
);

/** Number of records of each list that are read one by one. */
const sampleSize = 5;

/** A record in a list equals the same record read alone. */
const asListed: readonly BlackBoxCase[] = listOperations.flatMap((operation) => {
  const one = readOperationOf(operation);
  if (one === undefined) return [];
  return blackBoxCase(`as-listed.${operation.id}`, ['spec 4', 'decisions 4'], needsOf(one), async (service) => {
    const target = targetFor(service, operation);
    const list = (): Promise<RenderedRecord[]> => getBody(service, `${target}?per_page=${sampleSize}`);
    const pathSegment = (rendered: RenderedRecord) =>
      operation.id.startsWith('builds.') ? String(rendered.number) : recordId(rendered);
    await retryUntilUnchanged(list, async () => {
      for (const rendered of await list()) {
        assert.deepEqual(await getBody(service, `${target}/${encodeURIComponent(pathSegment(rendered))}`), rendered);
      }
    });
  });
});

/** The builds of the organization are among the builds of all organizations of the token, in the same order. */
const contained = blackBoxCase('as-listed.builds-of-all', ['spec 4.2'], ['the scope read_builds'], async (service) => {
  const organization = encodeURIComponent(service.organization);
  const ids = async (path: string) => (await getBody(service, `${path}?per_page=100`)).map(recordId) as string[];
  const own = `/v2/organizations/${organization}/builds`;
  await retryUntilUnchanged(
    () => ids(own),
    async () => {
      const [all, ofOrganization] = [await ids('/v2/builds'), await ids(own)];
      const shared = all.filter((id) => ofOrganization.includes(id));
      // If a page has only some builds of the organization, they are its newest.
      assert.deepEqual(shared, ofOrganization.slice(0, shared.length));
      if (all.length < 100) assert.equal(shared.length, ofOrganization.length);
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
  const idFor = async (sentId: string) => {
    const response = await service.send('GET', '/v2/nowhere', { headers: { 'x-request-id': sentId } });
    return response.headers['x-request-id'];
  };
  for (const valid of ['a', 'A-b_c.9', 'x'.repeat(128)]) assert.equal(await idFor(valid), valid);
  for (const invalid of ['a b', 'x'.repeat(129), 'a,b']) assert.notEqual(await idFor(invalid), invalid);
  assert.notEqual(await idFor(''), await idFor(''), 'each request has its own id');
});

/** Every URL in a response lies below the base URL of the service. */
const addresses = blackBoxCase('addresses-lead-back', ['spec 4.9', 'decisions 4'], [], async (service) => {
  const { base, scopes, sampleRecords } = service;
  for (const operation of listOperations) {
    const [scope, ...records] = [operation.scope, ...operation.path.matchAll(/\{(\w+)\}/g)];
    if (scope !== null && !scopes.includes(scope)) continue;
    if (records.some((match) => !((match?.[1] ?? '') in sampleRecords))) continue;
    const target = targetFor(service, operation);
    const { body, headers } = await service.send('GET', `${target}?per_page=1&page=2`);
    const urls = [
      ...body.flatMap((rendered: RenderedRecord) => rendered.url ?? []),
      ...[...(headers.link ?? '').matchAll(/<([^>]*)>/g)].map(([, address = '']) => address),
    ];
    for (const address of urls) assert.ok(address.startsWith(`${base}/`), `${address} is not below ${base}`);
  }
});

export const readingCases: readonly BlackBoxCase[] = [
  root,
  requestIds,
  ...responseSchemas,
  ...heads,
  ...asListed,
  contained,
  addresses,
];
