import assert from 'node:assert/strict';
import type { Operation } from '../../../core/contract/operation.js';
import type { Parameter } from '../../../core/contract/parameters.js';
import { type ResolverName, resolvers } from '../../../core/contract/resolvers.js';
import { operations } from '../../../core/operations/index.js';
import { fill, placeholdersOf } from '../../service/examples.js';
import { lists, looks } from '../asking.js';
import { type BlackBoxCase, blackBoxCase, limited, needsOf } from '../case.js';
import type { RunningService } from '../running.js';

/** What stands in a path and is nobody's. */
const nobody = '00000000-0000-0000-0000-000000000000';
/** The path of an operation on records that are not there, in an organization that is. */
const nowhereIn = ({ organization }: RunningService, path: string): string =>
  fill(
    path,
    Object.fromEntries(placeholdersOf(path).map((name) => [name, name === 'organization' ? organization : nobody])),
  );

const unauthenticated = { message: 'Authentication required. Please supply a valid API Access Token' };

/**
 * Nobody comes in without a token. Changes are asked for as well, without a body and of records that are not there: even of a service
 * that lets everybody in nothing could come.
 */
const strangers = blackBoxCase('unauthenticated', ['spec 5.1', 'spec 5.3', 'decisions 2'], [], async (service) => {
  for (const operation of operations.filter(({ form }) => form !== 'public')) {
    const target = nowhereIn(service, operation.path);
    for (const authorization of [undefined, 'Bearer nobody', 'Bearer', 'Basic bm9ib2R5OnNlY3JldA==', 'nobody']) {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const answer = await service.send(operation.method, target, { token: null, headers });
      const where = `${operation.method} ${target} with ${authorization ?? 'no header'}`;
      assert.deepEqual([answer.status, answer.body], [401, unauthenticated], where);
      assert.equal(answer.headers['www-authenticate'], 'Bearer', where);
    }
  }
});

const mayAsk = ({ scopes }: RunningService, { scope }: Operation): boolean => scope === null || scopes.includes(scope);

const otherOrganizations = blackBoxCase('unknown-organization', ['spec 5.2', 'decisions 2'], [], async (service) => {
  for (const operation of looks.filter((one) => mayAsk(service, one) && one.path.includes('{organization}'))) {
    const target = nowhereIn({ ...service, organization: service.name() }, operation.path);
    const { status, body } = await service.send('GET', target);
    assert.deepEqual([status, body], [404, { message: 'No organization found' }], target);
  }
});

/** The first record of a path that is not there is the one that the answer tells of. */
const unknownRecords = blackBoxCase('unknown-record', ['decisions 1', 'decisions 2'], [], async (service) => {
  for (const operation of looks.filter((one) => mayAsk(service, one))) {
    const name = placeholdersOf(operation.path).find((one) => one !== 'organization');
    if (name === undefined) continue;
    const target = nowhereIn(service, operation.path);
    const { status, body } = await service.send('GET', target);
    assert.deepEqual([status, body], [404, { message: `No ${resolvers[name as ResolverName].what} found` }], target);
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

/** Every path, with the methods that it takes. */
function methodsByPath(service: RunningService): Map<string, Set<string>> {
  const taken = new Map<string, Set<string>>();
  for (const { path, alsoPaths = [], method, alsoMethods = [] } of operations) {
    for (const one of [path, ...alsoPaths]) {
      const target = nowhereIn(service, one);
      const known = taken.get(target) ?? new Set(['OPTIONS']);
      for (const name of [method, ...alsoMethods]) known.add(name);
      if (known.has('GET')) known.add('HEAD');
      taken.set(target, known);
    }
  }
  return taken;
}

/** Without a token: where the API takes a method that it should not, nothing comes of it but a 401. */
const wrongMethods = blackBoxCase('wrong-method', ['decisions 1', 'decisions 12'], [], async (service) => {
  for (const [target, taken] of methodsByPath(service)) {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) => !taken.has(one))) {
      const { status, body, headers } = await service.send(method, target, { token: null });
      assert.equal(status, 405, `${method} ${target}`);
      if (method !== 'HEAD') assert.deepEqual(body, { message: 'Method not allowed' });
      assert.deepEqual(new Set(headers.allow?.split(', ')), taken, `Allow of ${target}`);
    }
  }
});

const preflights = blackBoxCase('options', ['spec 1.7', 'decisions 1'], [], async (service) => {
  for (const [target, taken] of methodsByPath(service)) {
    const { status, headers } = await service.send('OPTIONS', target, { token: null });
    assert.equal(status, 204, target);
    assert.deepEqual(new Set(headers['access-control-allow-methods']?.split(', ')), taken, target);
    assert.match(headers['access-control-allow-headers'] ?? '', /Authorization.*Content-Type/, target);
    assert.match(headers['access-control-max-age'] ?? '', /^\d+$/, target);
  }
});

/** Values that are wrong for a parameter, told from its schema; none where any text is right. */
function wrongFor({ form, schema }: Parameter): readonly string[] {
  const { type, format, enum: choices } = (schema.items ?? schema) as Readonly<Record<string, unknown>>;
  if (form === 'map') return [];
  if (type === 'boolean') return ['yes', '2', ''];
  if (format === 'date-time') return ['yesterday', '2026-02-30', ''];
  if (format === 'uuid') return ['x', ''];
  return Array.isArray(choices) ? ['x', 'PASSED', ''] : ['%00'];
}

const wrongPages = ['page=x', 'page=-1', 'page=1.0', 'per_page=0', 'per_page=', 'page[]=1', 'page=9007199254740992'];

const malformed: readonly BlackBoxCase[] = looks
  .filter((operation) => operation.form === 'list' || operation.query !== undefined)
  .map((operation) =>
    blackBoxCase(
      `malformed-query.${operation.id}`,
      ['decisions 1', 'decisions 3', 'decisions 12'],
      needsOf(operation),
      async (service) => {
        const target = fill(operation.path, service.landmarks);
        const queries = [
          ...(lists.some((list) => list === operation) ? wrongPages : []),
          ...Object.entries(operation.query ?? {}).flatMap(([name, parameter]) =>
            wrongFor(parameter).map((value) => `${name}=${value}`),
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

/** A token that may do less is refused what it may not, changes included: of records that are not there, without a body. */
const missingScopes = blackBoxCase(
  'missing-scope',
  ['spec 4', 'spec 5.4', 'decisions 2'],
  [limited],
  async (service) => {
    for (const operation of operations.filter((one) => !mayAsk(service, one))) {
      const target = nowhereIn(service, operation.path);
      const { status, body } = await service.send(operation.method, target);
      const message = `Your access token doesn't have the ${operation.scope} scope`;
      assert.deepEqual([status, body], [403, { message }], `${operation.method} ${target}`);
    }
  },
);

export const refusingCases: readonly BlackBoxCase[] = [
  strangers,
  otherOrganizations,
  unknownRecords,
  noRoute,
  wrongMethods,
  preflights,
  ...malformed,
  missingScopes,
];
