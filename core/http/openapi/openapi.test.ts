import { createConfig, lintFromString } from '@redocly/openapi-core';
import test from 'ava';
import { openApiDocument } from '../../openapi.js';
import { statusesOf } from '../../operations/contract/statuses.js';
import { operations } from '../../operations/index.js';
import { endpointsOf } from './index.js';

const document = openApiDocument({ baseUrl: 'https://api.ci.test' });

interface Described {
  readonly operationId: string;
  readonly security: unknown;
  readonly parameters?: readonly { readonly name: string; readonly style?: string; readonly explode?: boolean }[];
  readonly responses: Readonly<Record<string, { readonly headers?: object }>>;
}
const paths = document.paths as Readonly<Record<string, Readonly<Record<string, Described>>>>;
const at = (method: string, path: string): Described => paths[path]?.[method] as Described;

async function lint(checked: object) {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: JSON.stringify(checked), absoluteRef: '/openapi.json', config });
  return problems.map(({ ruleId, severity, location }) => `${severity} ${ruleId} at ${location[0]?.pointer}`);
}

test("Redocly's recommended rules have nothing to say", async (t) => {
  t.deepEqual(await lint(document), []);
  const { tags: _, ...untagged } = document;
  t.true((await lint({ ...untagged, servers: [] })).length > 0, 'the rules are not in force');
});

test('the document describes exactly the operations that exist', (t) => {
  const described = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const ways = operations.flatMap((operation) => endpointsOf(operation));
  t.deepEqual(described.sort(), ways.map(({ method, path }) => `${method} ${path}`).sort());
  t.is(new Set(ways.map((way) => way.id)).size, ways.length);
  for (const operation of operations) {
    for (const { method, path } of endpointsOf(operation)) {
      const { responses, security } = at(method.toLowerCase(), path);
      t.deepEqual(Object.keys(responses).map(Number), [...statusesOf(operation)], operation.id);
      const scopes = operation.scope === null ? [] : [operation.scope];
      t.deepEqual(security, operation.form === 'public' ? [] : [{ accessToken: scopes }]);
    }
  }
});

test('the document is plain JSON without our own keywords', (t) => {
  t.deepEqual(JSON.parse(JSON.stringify(document)), document);
  t.false(/"reason":|"~type":/.test(JSON.stringify(document.components.schemas)));
});

test('array and map parameters are described so that what generated clients send can be read', (t) => {
  const { parameters = [] } = at('get', '/v2/builds');
  const one = (name: string) => parameters.find((parameter) => parameter.name === name);
  for (const name of ['state', 'state[]', 'branch', 'branch[]', 'commit', 'commit[]'])
    t.like(one(name), { in: 'query', style: 'form', explode: true, schema: { type: 'array' } });
  t.like(one('meta_data'), { style: 'deepObject', explode: true, schema: { type: 'object' } });
  t.like(one('creator'), { schema: { type: 'string', format: 'uuid' } });
});

test('other ways to an operation have names of their own', (t) => {
  t.is(at('patch', '/v2/organizations/{organization}/clusters/{cluster}').operationId, 'clusters.update.patch');
  const team = '/v2/organizations/{organization}/teams/{team}';
  t.is(at('post', `${team}/suite`).operationId, 'teamSuites.create');
  t.is(at('post', `${team}/suites`).operationId, 'teamSuites.create.suites');
  t.is(at('delete', `${team}/pipelines`).operationId, 'teamPipelines.delete.pipelines');
});

test('statuses are those that can happen', (t) => {
  const of = (id: string) =>
    statusesOf(operations.find((operation) => operation.id === id) as (typeof operations)[number]);
  t.deepEqual(of('meta.root'), [200, 400, 500]);
  t.deepEqual(of('user.get'), [200, 400, 401, 500, 503]);
  t.deepEqual(of('builds.listAll'), [200, 400, 401, 403, 500, 503]);
  t.deepEqual(of('agents.get'), [200, 400, 401, 403, 404, 500, 503]);
  t.deepEqual(of('builds.create'), [201, 400, 401, 403, 404, 409, 413, 415, 422, 500, 503]);
  t.deepEqual(of('teams.delete'), [204, 400, 401, 403, 404, 409, 413, 415, 500, 503]);
});
