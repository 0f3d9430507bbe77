import assert from 'node:assert/strict';
import { operations } from '../../api/index.js';
import { atSeam, type Case } from '../../case.js';
import {
  commandSequence,
  type ExampleRequest,
  exampleRequests,
  fillPath,
  isRead,
  targetOf,
} from '../example-requests.js';
import { organizationFixture } from '../fixture.js';
import { type Service, type ServiceHarness, withService } from '../service.js';

const acme = organizationFixture('acme');
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Every path of an operation, with its placeholders filled. */
const pathsOf = ({ operation, pathParams }: ExampleRequest) =>
  [operation.path, ...(operation.alsoPaths ?? [])].map((path) => fillPath(path, pathParams));

/** The allowed methods of a path, derived from the operations. */
function methodsAt(path: string, examples: readonly ExampleRequest[]): Set<string> {
  const found = examples.filter((example) => pathsOf(example).includes(path));
  const taken = found.flatMap(({ operation }) => [operation.method, ...(operation.alsoMethods ?? [])]);
  return new Set([...taken, ...(taken.includes('GET') ? ['HEAD'] : []), 'OPTIONS']);
}

/** Sends an example as it is, and expects its success. */
async function expectSuccess(service: Service, example: ExampleRequest, slash = ''): Promise<void> {
  const { operation, body } = example;
  const response = await service.send(operation.method, targetOf(example) + slash, body ? { body } : {});
  assert.equal(response.status, operation.success, `${operation.id} at ${targetOf(example)}${slash}`);
}

const reads: Case<ServiceHarness> = {
  id: 'requests.reads',
  cites: 'spec 4',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      for (const example of await exampleRequests(service))
        if (example.operation.form !== 'command') await expectSuccess(service, example);
    }),
};

const commands: Case<ServiceHarness>[] = operations
  .filter(({ form }) => form === 'command')
  .map((operation) => ({
    id: `requests.${operation.id}`,
    cites: 'spec 4',
    run: (harness: ServiceHarness) =>
      withService(harness, acme, async (service) => {
        const example = (await exampleRequests(service)).find((one) => one.operation === operation) as ExampleRequest;
        await expectSuccess(service, example);
      }),
  }));

const trailingSlashes: Case<ServiceHarness> = {
  id: 'requests.trailing-slash',
  cites: 'spec 4, decisions 1',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      const examples = await exampleRequests(service);
      const reading = examples.filter(({ operation }) => operation.form !== 'command');
      for (const example of [...reading, ...commandSequence(examples)])
        if (targetOf(example) !== '/') await expectSuccess(service, example, '/');
    }),
};

const head: Case<ServiceHarness> = {
  id: 'requests.head',
  cites: 'decisions 1',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      for (const example of (await exampleRequests(service)).filter(({ operation }) => isRead(operation))) {
        const target = `${targetOf(example)}?per_page=1`;
        const [get, response] = [await service.send('GET', target), await service.send('HEAD', target)];
        const { 'x-request-id': _, date: __, ...wanted } = get.headers;
        const { 'x-request-id': ___, date: ____, ...headers } = response.headers;
        assert.deepEqual([response.status, headers], [200, wanted], target);
      }
    }),
};

const wrongMethods: Case<ServiceHarness> = {
  id: 'requests.wrong-method',
  cites: 'decisions 1, decisions 12',
  needs: ['any-method'],
  run: (harness) =>
    withService(harness, acme, async (service) => {
      const examples = await exampleRequests(service);
      for (const path of new Set(examples.flatMap(pathsOf))) {
        const taken = methodsAt(path, examples);
        for (const method of [...methods, 'TRACE', 'PROPFIND'].filter((one) => !taken.has(one))) {
          const response = await service.send(method, path, { token: null });
          assert.equal(response.status, 405, `${method} ${path}`);
          if (method !== 'HEAD') assert.deepEqual(response.body, { message: 'Method not allowed' });
          assert.deepEqual(new Set(response.headers.allow?.split(', ')), taken, `${method} ${path}`);
        }
      }
    }),
};

const preflights: Case<ServiceHarness> = {
  id: 'requests.options',
  cites: 'spec 1.7, decisions 1',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      const examples = await exampleRequests(service);
      for (const path of new Set(examples.flatMap(pathsOf))) {
        for (const slash of path === '/' ? [''] : ['', '/']) {
          const { status, headers } = await service.send('OPTIONS', path + slash, { token: null });
          assert.equal(status, 204);
          assert.deepEqual(new Set(headers['access-control-allow-methods']?.split(', ')), methodsAt(path, examples));
          assert.match(headers['access-control-allow-headers'] ?? '', /Authorization.*Content-Type/);
          assert.match(headers['access-control-max-age'] ?? '', /^\d+$/);
        }
      }
    }),
};

/** Targets without a route. They are refused before authentication. */
const unknownPaths: readonly string[] = [
  '/v2',
  '/v1/builds',
  '/v2/accounts',
  '/v2/projects',
  '/v2/user/x',
  '/V2/user',
  '/v2//user',
  '//host/v2/user',
  '/v2/./user',
  '/v2/../v2/user',
  '/v2/organizations/acme/../acme/agents',
  '/v2/organizations//agents',
  '/v2/user//',
  '/v2/organizations/acme/pipelines/web/builds/1/retry',
];

const unknownRoutes: Case<ServiceHarness> = {
  id: 'requests.no-route',
  cites: 'spec 9.2, decisions 1, decisions 12',
  needs: ['raw-targets'],
  run: (harness) =>
    withService(harness, acme, async (service) => {
      for (const path of unknownPaths) {
        for (const method of [...methods, 'OPTIONS']) {
          const response = await service.send(method, `${path}?page=1`, { token: null });
          assert.equal(response.status, 404, `${method} ${path}`);
          if (method !== 'HEAD') assert.deepEqual(response.body, { message: `No route matches ${method} ${path}` });
        }
      }
    }),
};

const malformed: Case<ServiceHarness> = {
  id: 'requests.malformed-path',
  cites: 'decisions 1, decisions 12',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      for (const segment of ['%', '%zz', '%a', '%ff', '%c3%28', '%ed%a0%80', 'acme%']) {
        for (const path of [`/v2/organizations/${segment}/agents`, `/v2/nowhere/${segment}`]) {
          for (const method of ['GET', 'PUT', 'OPTIONS']) {
            const response = await service.send(method, path, { token: null });
            assert.equal(response.status, 400, `${method} ${path}`);
          }
        }
      }
    }),
};

const decodedOnce: Case<ServiceHarness> = {
  id: 'requests.path-decoded-once',
  cites: 'decisions 1',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      const status = async (segment: string) =>
        (await service.send('GET', `/v2/organizations/${segment}/agents`)).status;
      assert.equal(await status('%61cme'), 200);
      for (const segment of [
        '%2561cme',
        'acme%2Fagents',
        '%2e%2e',
        '%00',
        'acme%00',
        '%20acme',
        'ACME',
        '%F0%9F%98%80',
      ])
        assert.equal(await status(segment), 404, segment);
      const builds = '/v2/organizations/acme/pipelines/web/builds';
      for (const number of [
        '0',
        '01',
        '+1',
        '1.0',
        '1e0',
        '-1',
        '%31%00',
        '99999999999999999999',
        '9007199254740991',
        'x',
        '%D9%A1',
      ]) {
        const response = await service.send('GET', `${builds}/${number}`);
        assert.deepEqual([response.status, response.body], [404, { message: 'No build found' }], number);
      }
    }),
};

const requestIds: Case<ServiceHarness> = {
  id: 'requests.request-id',
  cites: 'decisions 1, decisions 12',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      const idFor = async (sentId: string) =>
        (await service.send('GET', '/', { headers: { 'x-request-id': sentId } })).headers['x-request-id'];
      for (const sane of ['a', 'A-b_c.9', 'x'.repeat(128)]) assert.equal(await idFor(sane), sane);
      for (const other of ['a b', 'x'.repeat(129), 'a,b', '<a>', 'a/b']) assert.notEqual(await idFor(other), other);
      const fresh = await Promise.all(Array.from({ length: 20 }, () => idFor('')));
      assert.equal(new Set(fresh).size, 20);
      const refused = await service.send('GET', '/nowhere', { headers: { 'x-request-id': 'mine' } });
      assert.equal(refused.headers['x-request-id'], 'mine');
    }),
};

const root: Case<ServiceHarness> = {
  id: 'requests.root',
  cites: 'spec 1.6',
  run: (harness) =>
    withService(harness, acme, async (service) => {
      service.clock.advance(1_999);
      const response = await service.send('GET', '/', { token: null });
      assert.equal(response.body.timestamp, Math.floor(service.clock.now() / 1_000));
      for (const authorization of ['Basic eDp5', 'Bearer x']) {
        const other = await service.send('GET', '/?a=b', { token: null, headers: { authorization } });
        assert.deepEqual(other.body, response.body);
      }
    }),
};

export const routes: readonly Case<ServiceHarness>[] = [
  ...atSeam('operations', [reads, ...commands]),
  trailingSlashes,
  head,
  wrongMethods,
  preflights,
  unknownRoutes,
  malformed,
  decodedOnce,
  requestIds,
  root,
];
