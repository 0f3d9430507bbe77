import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import test from 'ava';
import { fakeService } from '../../../adapters/fake/index.js';
import { openApiDocument } from '../../openapi.js';
import { array, nullable, strictObject, string } from '../../schema/schema.js';
import { type Json, schemaRegistry } from './schemas.js';

const document = openApiDocument({ baseUrl: 'https://api.ci.test' });
const rebased = (part: unknown): Json =>
  JSON.parse(JSON.stringify(part).replaceAll('"#/components/schemas/', '"https://schemas.test/'));

/** A second opinion on schemas, of another make than the validator in the core, and strict about what it is given. */
function secondOpinion() {
  const ajv = new Ajv2020({ strict: true, strictTypes: true, allowUnionTypes: true, allErrors: true });
  formats.default(ajv);
  // OpenAPI's own word for one example.
  ajv.addKeyword('example');
  for (const [name, schema] of Object.entries(document.components.schemas))
    ajv.addSchema(rebased(schema), `https://schemas.test/${name}`);
  return ajv;
}

/** Every schema of the document, wherever it stands. */
function* schemasIn(part: unknown): Generator<Json> {
  if (typeof part !== 'object' || part === null) return;
  for (const [key, value] of Object.entries(part)) {
    if (key === 'schema') yield value as Json;
    else if (key !== 'example') yield* schemasIn(value);
  }
}

test('every schema compiles strictly with another library', (t) => {
  const ajv = secondOpinion();
  for (const name of Object.keys(document.components.schemas))
    t.is(typeof ajv.getSchema(`https://schemas.test/${name}`), 'function', name);
  const others = [...schemasIn([document.paths, document.components])];
  t.true(others.length > 100);
  for (const schema of others) t.notThrows(() => ajv.compile(rebased(schema)), JSON.stringify(schema));
});

test('responses match the schemas of the document', async (t) => {
  const service = await fakeService();
  const ajv = secondOpinion();
  const org = '/v2/organizations/acme';
  const agents = (await service.request('GET', `${org}/agents`)).body;
  const clusters = (await service.request('GET', `${org}/clusters`)).body;
  const teams = (await service.request('GET', `${org}/teams`)).body;
  const agent = { agent: agents[0].id };
  const cluster = { cluster: clusters[0].id };
  const build = { pipeline: 'web', build: '1' };
  const asked: [method: string, path: string, params: Record<string, string>, body?: object][] = [
    ['GET', '/', {}],
    ['GET', '/v2/user', {}],
    ['GET', '/v2/access-token', {}],
    ['POST', '/pipelines/{pipeline}/builds', build, { commit: 'HEAD', branch: 'main', env: { A: 1 } }],
    ['POST', '/pipelines/{pipeline}/builds', build, { commit: '' }],
    ['GET', '/pipelines/{pipeline}/builds', build],
    ['GET', '/pipelines/{pipeline}/builds/{build}', build],
    ['PUT', '/pipelines/{pipeline}/builds/{build}/cancel', build],
    ['PUT', '/pipelines/{pipeline}/builds/{build}/cancel', build],
    ['PUT', '/pipelines/{pipeline}/builds/{build}/rebuild', build],
    ['GET', '/agents/{agent}', agent],
    ['PUT', '/agents/{agent}/stop', agent],
    ['PUT', '/agents/{agent}/stop', agent],
    ['GET', '/clusters/{cluster}/queues', cluster],
    ['POST', '/clusters/{cluster}/queues', cluster, { key: 'large' }],
    ['POST', '/clusters/{cluster}/queues', cluster, { key: 'large' }],
    ['GET', '/clusters/{cluster}/tokens', cluster],
    ['POST', '/clusters/{cluster}/tokens', cluster, { description: 'More', allowed_ip_addresses: ['10.0.0.0/8'] }],
    ['GET', '/clusters/{cluster}', { cluster: 'none' }],
    ['PATCH', '/clusters/{cluster}', cluster, { color: '#f0f' }],
    ['GET', '/teams/{team}', { team: teams[0].id }],
    ['GET', '/teams/{team}/suites', { team: teams[0].id }],
  ];
  for (const [method, path, params, body] of asked) {
    const full = path === '/' || path.startsWith('/v2') ? path : `/v2/organizations/{organization}${path}`;
    const target = full.replace(
      /\{(\w+)\}/g,
      (_, name) => ({ organization: 'acme', ...params })[name as 'organization'],
    );
    const answer = await service.request(method, target, body ? { body } : {});
    const item = (document.paths as Record<string, Record<string, { responses: Record<string, unknown> }>>)[full];
    const declared = item?.[method.toLowerCase()]?.responses[answer.status];
    if (declared === undefined) {
      t.fail(`${method} ${target} answered ${answer.status}, which is not declared`);
      continue;
    }
    const [schema] = schemasIn(declared);
    if (schema === undefined) t.is(answer.body, undefined);
    else t.true(ajv.validate(rebased(schema), answer.body), `${method} ${target}: ${ajv.errorsText()}`);
  }
  await service.close();
});

test('named schemas are written once, whether they may be null or not', (t) => {
  const book = schemaRegistry();
  const User = strictObject({ name: string({ reason: 'of ours' }) }, { title: 'User' });
  t.deepEqual(book.toJson(strictObject({ reason: string(), by: nullable(User), all: array(User) })), {
    type: 'object',
    properties: {
      reason: { type: 'string' },
      by: { anyOf: [{ $ref: '#/components/schemas/User' }, { type: 'null' }] },
      all: { type: 'array', items: { $ref: '#/components/schemas/User' } },
    },
    required: ['reason', 'by', 'all'],
    additionalProperties: false,
  });
  t.deepEqual(book.components(), {
    User: {
      type: 'object',
      properties: { name: { type: 'string' } },
      required: ['name'],
      additionalProperties: false,
      title: 'User',
    },
  });
  t.throws(() => book.toJson(strictObject({}, { title: 'User' })), { message: 'Two schemas are called User' });
});

test('the document is served, without a token', async (t) => {
  const service = await fakeService({ baseUrl: 'https://ci.test/api' });
  const { status, headers, body } = await service.request('GET', '/v2/openapi.json', { token: null });
  t.is(status, 200);
  t.is(headers['content-type'], 'application/json; charset=utf-8');
  t.deepEqual(body, openApiDocument({ baseUrl: 'https://ci.test/api' }));
  t.is(body.servers[0].url, 'https://ci.test/api');
  await service.close();
});
