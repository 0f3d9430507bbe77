import test from 'ava';
import { stateFilter as coreStateFilter } from '../../core/machines/index.js';
import { scopes as coreScopes } from '../../core/model/scopes.js';
import { openApiDocument } from '../../core/openapi.js';
import type { Operation as CoreOperation } from '../../core/operations/contract/operation.js';
import { resolvers } from '../../core/operations/contract/resolvers.js';
import { statusesOf as coreStatusesOf, successStatus } from '../../core/operations/contract/statuses.js';
import { operations as coreOperations } from '../../core/operations/index.js';
import { ErrorBody as CoreErrorBody } from '../../core/representations/error.js';
import { ErrorBody, type Operation, operations, pathParameters, scopes, stateFilter, statusesOf } from './index.js';

// The suite describes the API by itself. These tests name every difference to the code and to its OpenAPI document: a change of the
// API is made in both places on purpose.

type Json = Readonly<Record<string, unknown>>;

const document = openApiDocument({ baseUrl: 'https://api.ci.test' });
const annotations: readonly string[] = ['title', 'description', 'examples', 'example', 'default', 'reason'];

/** The object that a reference of the document names. */
const resolve = (reference: string): unknown =>
  reference
    .split('/')
    .slice(1)
    .reduce<unknown>((part, name) => (part as Json)[name], document);

/** A schema without annotations and references, in one spelling, so that equal schemas are deeply equal. */
function normalize(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(normalize);
  const { $ref, anyOf, properties, required, ...others } = schema as Json;
  if (typeof $ref === 'string') return normalize(resolve($ref));
  if (Array.isArray(anyOf) && anyOf.length === 2 && (anyOf[1] as Json).type === 'null') {
    const inner = normalize(anyOf[0]) as Json;
    if (typeof inner.type === 'string') return { ...inner, type: [inner.type, 'null'] };
  }
  return {
    ...Object.fromEntries(
      Object.entries(others)
        .filter(([keyword]) => !annotations.includes(keyword))
        .map(([keyword, value]) => [keyword, normalize(value)]),
    ),
    ...(anyOf ? { anyOf: normalize(anyOf) } : {}),
    ...(properties
      ? { properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, normalize(one)])) }
      : {}),
    ...(Array.isArray(required) ? { required: required.toSorted() } : {}),
  };
}

/** What can be compared of an operation of the suite and of the core. */
const describe = (operation: Operation | CoreOperation): Json => {
  const { id, form, method, alsoMethods = [], path, alsoPaths = [], scope, query = {} } = operation;
  return { id, form, method, alsoMethods, path, alsoPaths, scope, query: describeQuery(query) };
};

const describeQuery = (query: NonNullable<Operation['query'] | CoreOperation['query']>): Json =>
  Object.fromEntries(
    Object.entries(query).map(([name, { form, schema }]) => [name, { form, schema: normalize(schema) }]),
  );

test('the suite and the code have the same operations', (t) => {
  t.deepEqual(
    operations.map(({ id }) => id),
    coreOperations.map(({ id }) => id),
  );
});

for (const operation of operations) {
  test(`${operation.id} is what the code has`, (t) => {
    const core = coreOperations.find(({ id }) => id === operation.id) as CoreOperation;
    t.truthy(core);
    t.deepEqual(describe(operation), describe(core));
    t.is(operation.success, successStatus(core), 'success');
    t.deepEqual(statusesOf(operation).toSorted(), coreStatusesOf(core).toSorted(), 'statuses');
    t.is<boolean | undefined, boolean | undefined>(operation.unpaged, core.form === 'list' ? core.unpaged : undefined);
    t.is(operation.right, core.form === 'command' ? core.right : undefined);
    t.deepEqual(normalize(operation.body), normalize(core.form === 'command' ? core.body : undefined), 'body');
    const reply = core.form === 'list' ? { type: 'array', items: core.item } : core.reply;
    t.deepEqual(normalize(operation.reply), normalize(reply), 'reply');
  });

  test(`${operation.id} is what the OpenAPI document says`, (t) => {
    for (const path of [operation.path, ...(operation.alsoPaths ?? [])]) {
      for (const method of [operation.method, ...(operation.alsoMethods ?? [])]) {
        const described = (document.paths[path] as Record<string, Json>)[method.toLowerCase()];
        const {
          responses,
          requestBody,
          parameters = [],
        } = described as {
          readonly responses: Record<string, Json>;
          readonly requestBody?: Json;
          readonly parameters?: readonly Json[];
        };
        const where = `${method} ${path}`;
        t.deepEqual(Object.keys(responses).map(Number).toSorted(), statusesOf(operation).toSorted(), where);
        t.deepEqual(schemaOf(responses[operation.success]), normalize(operation.reply), where);
        for (const status of operation.errors) t.deepEqual(schemaOf(responses[status]), normalize(ErrorBody), where);
        t.deepEqual(schemaOf(requestBody), normalize(operation.body), where);
        const queryNames = parameters
          .map((one) => normalize(one) as Json)
          .filter((one) => one.in === 'query')
          .map(({ name }) => String(name).replace('[]', ''));
        const paging = operation.form === 'list' ? ['page', 'per_page'] : [];
        t.deepEqual(new Set(queryNames), new Set([...Object.keys(operation.query ?? {}), ...paging]), where);
      }
    }
  });
}

/** The schema of the JSON body of a response or request of the document. */
function schemaOf(part: Json | undefined): unknown {
  const content = (typeof part?.$ref === 'string' ? (resolve(part.$ref) as Json) : part)?.content as Json | undefined;
  return normalize((content?.['application/json'] as Json | undefined)?.schema);
}

test('path parameters, scopes, states of the filter and errors are what the code has', (t) => {
  t.deepEqual(
    { ...pathParameters },
    Object.fromEntries(Object.entries(resolvers).map(([name, { label }]) => [name, label])) as typeof pathParameters,
  );
  t.deepEqual(scopes, coreScopes);
  t.deepEqual(stateFilter, coreStateFilter);
  t.deepEqual(normalize(ErrorBody), normalize(CoreErrorBody));
});
