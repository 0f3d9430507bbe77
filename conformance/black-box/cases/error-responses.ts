import assert from 'node:assert/strict';
import { type Operation, operations, type Parameter, pathParameters, placeholdersOf } from '../../api/index.js';
import { fillPath } from '../../service/example-requests.js';
import { type BlackBoxCase, blackBoxCase, limitedToken, needsOf } from '../case.js';
import { getOperations, listOperations } from '../read-operations.js';
import type { RunningService } from '../running-service.js';

/** An id that no record has. */
const unknownId = '00000000-0000-0000-0000-000000000000';
/** The path of an operation on records that do not exist, in an organization that exists. */
const unknownRecordPath = ({ organization }: RunningService, path: string): string =>
  fillPath(
    path,
    Object.fromEntries(placeholdersOf(path).map((name) => [name, name === 'organization' ? organization : unknownId])),
  );

const unauthenticated = { message: 'Authentication required. Please supply a valid API Access Token' };

/**
 * Every operation refuses requests without a valid token. Commands are sent too, without a body and for records that do not exist,
 * so that even a service that fails to authenticate changes nothing.
 */
const invalidTokens = blackBoxCase('unauthenticated', ['spec 5.1', 'spec 5.3', 'decisions 2'], [], async (service) => {
  for (const operation of operations.filter(({ form }) => form !== 'public')) {
    const target = unknownRecordPath(service, operation.path);
    for (const authorization of [undefined, 'Bearer nobody', 'Bearer', 'Basic bm9ib2R5OnNlY3JldA==', 'nobody']) {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const response = await service.send(operation.method, target, { token: null, headers });
      const where = `${operation.method} ${target} with ${authorization ?? 'no header'}`;
      assert.deepEqual([response.status, response.body], [401, unauthenticated], where);
      assert.equal(response.headers['www-authenticate'], 'Bearer', where);
    }
  }
});

const hasScopeFor = ({ scopes }: RunningService, { scope }: Operation): boolean =>
  scope === null || scopes.includes(scope);

const otherOrganizations = blackBoxCase('unknown-organization', ['spec 5.2', 'decisions 2'], [], async (service) => {
  for (const operation of getOperations.filter(
    (one) => hasScopeFor(service, one) && one.path.includes('{organization}'),
  )) {
    const target = unknownRecordPath({ ...service, organization: service.uniqueName() }, operation.path);
    const { status, body } = await service.send('GET', target);
    assert.deepEqual([status, body], [404, { message: 'No organization found' }], target);
  }
});

/** The 404 names the first record of the path that does not exist. */
const unknownRecords = blackBoxCase('unknown-record', ['decisions 1', 'decisions 2'], [], async (service) => {
  for (const operation of getOperations.filter((one) => hasScopeFor(service, one))) {
    const name = placeholdersOf(operation.path).find((one) => one !== 'organization');
    if (name === undefined) continue;
    const target = unknownRecordPath(service, operation.path);
    const { status, body } = await service.send('GET', target);
    assert.deepEqual([status, body], [404, { message: `No ${pathParameters[name]} found` }], target);
  }
});

const noRoute = blackBoxCase('no-route', ['spec 9', 'decisions 1', 'decisions 12'], [], async ({ send }) => {
  for (const path of ['/v2', '/v1/builds', '/v2/user/x', '/v2/nowhere', '/V2/user', '/v2/organizations/x/nowhere']) {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      const { status, body } = await send(method, `${path}?page=1`, { token: null });
      assert.equal(status, 404, `${method} ${path}`);
      if (method !== 'HEAD') assert.deepEqual(body, { message: `No route matches ${method} ${path}` });
    }
  }
});

/** Every path with its allowed methods. */
function methodsByPath(service: RunningService): Map<string, Set<string>> {
  const allowed = new Map<string, Set<string>>();
  for (const { path, alsoPaths = [], method, alsoMethods = [] } of operations) {
    for (const one of [path, ...alsoPaths]) {
      const target = unknownRecordPath(service, one);
      const known = allowed.get(target) ?? new Set(['OPTIONS']);
      for (const name of [method, ...alsoMethods]) known.add(name);
      if (known.has('GET')) known.add('HEAD');
      allowed.set(target, known);
    }
  }
  return allowed;
}

/** Requests are sent without a token: a service that wrongly accepts a method answers 401 and changes nothing. */
const wrongMethods = blackBoxCase('wrong-method', ['decisions 1', 'decisions 12'], [], async (service) => {
  for (const [target, allowed] of methodsByPath(service)) {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) => !allowed.has(one))) {
      const { status, body, headers } = await service.send(method, target, { token: null });
      assert.equal(status, 405, `${method} ${target}`);
      if (method !== 'HEAD') assert.deepEqual(body, { message: 'Method not allowed' });
      assert.deepEqual(new Set(headers.allow?.split(', ')), allowed, `Allow of ${target}`);
    }
  }
});

const preflights = blackBoxCase('options', ['spec 1.7', 'decisions 1'], [], async (service) => {
  for (const [target, allowed] of methodsByPath(service)) {
    const { status, headers } = await service.send('OPTIONS', target, { token: null });
    assert.equal(status, 204, target);
    assert.deepEqual(new Set(headers['access-control-allow-methods']?.split(', ')), allowed, target);
    assert.match(headers['access-control-allow-headers'] ?? '', /Authorization.*Content-Type/, target);
    assert.match(headers['access-control-max-age'] ?? '', /^\d+$/, target);
  }
});

/** Invalid values for a parameter, derived from its schema. None if every text is valid. */
function invalidValues({ form, schema }: Parameter): readonly string[] {
  const { type, format, enum: choices } = (schema.items ?? schema) as Readonly<Record<string, unknown>>;
  if (form === 'map') return [];
  if (type === 'boolean') return ['yes', '2', ''];
  if (format === 'date-time') return ['yesterday', '2026-02-30', ''];
  if (format === 'uuid') return ['x', ''];
  return Array.isArray(choices) ? ['x', 'PASSED', ''] : ['%00'];
}

const invalidPages = ['page=x', 'page=-1', 'page=1.0', 'per_page=0', 'per_page=', 'page[]=1', 'page=9007199254740992'];

const malformed: readonly BlackBoxCase[] = getOperations
  .filter((operation) => operation.form === 'list' || operation.query !== undefined)
  .map((operation) =>
    blackBoxCase(
      `malformed-query.${operation.id}`,
      ['decisions 1', 'decisions 3', 'decisions 12'],
      needsOf(operation),
      async (service) => {
        const target = fillPath(operation.path, service.sampleRecords);
        const queries = [
          ...(listOperations.some((list) => list === operation) ? invalidPages : []),
          ...Object.entries(operation.query ?? {}).flatMap(([name, parameter]) =>
            invalidValues(parameter).map((value) => `${name}=${value}`),
          ),
        ];
        for (const query of queries) {
          const { status, body } = await service.send('GET', `${target}?${query}`);
          assert.equal(status, 400, `${target}?${query}`);
          const [name = ''] = query.split(/[=[]/);
          assert.ok(body.message.startsWith(name), `${body.message} does not name ${name}`);
        }
        for (const query of ['a=%', '%zz=1', 'a=%ff'])
          assert.equal((await service.send('GET', `${target}?${query}`)).status, 400, `${target}?${query}`);
      },
    ),
  );

/** Operations whose scope the token lacks are refused, commands included. They name records that do not exist and have no body. */
const missingScopes = blackBoxCase(
  'missing-scope',
  ['spec 4', 'spec 5.4', 'decisions 2'],
  [limitedToken],
  async (service) => {
    for (const operation of operations.filter((one) => !hasScopeFor(service, one))) {
      const target = unknownRecordPath(service, operation.path);
      const { status, body } = await service.send(operation.method, target);
      const message = `Your access token doesn't have the ${operation.scope} scope`;
      assert.deepEqual([status, body], [403, { message }], `${operation.method} ${target}`);
    }
  },
);

export const errorResponseCases: readonly BlackBoxCase[] = [
  invalidTokens,
  otherOrganizations,
  unknownRecords,
  noRoute,
  wrongMethods,
  preflights,
  ...malformed,
  missingScopes,
];
