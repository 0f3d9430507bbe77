import type { Operation } from '../../operations/contract/operation.js';
import { type ResolverName, resolvers } from '../../operations/contract/resolvers.js';
import { integer, type Schema } from '../../schema/schema.js';
import { defaultPageSize, maxPageSize } from '../pagination.js';
import type { Parameter } from '../parameters.js';
import type { Json, SchemaRegistry } from './schemas.js';

/** The names in braces of a path, in order. */
export const placeholders = (path: string): ResolverName[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as ResolverName);

const pageParameters = {
  page: {
    description: 'Which page of the list; 0 means 1',
    schema: integer({ minimum: 0, default: 1 }),
  },
  per_page: {
    description: `How many records a page has; more than ${maxPageSize} means ${maxPageSize}`,
    schema: integer({ minimum: 1, default: defaultPageSize }),
  },
};

/** Parameters that many operations share: those of paths, by their names there, and those of pages. */
export function sharedParameters(operations: readonly Operation[], registry: SchemaRegistry): Json {
  const used = new Set(operations.flatMap(({ path, alsoPaths = [] }) => [path, ...alsoPaths].flatMap(placeholders)));
  const ofPaths = [...used].map((name) => {
    const { description, schema } = resolvers[name];
    return [
      name,
      { name, in: 'path', required: true, description, schema: registry.toJson(asRequestSchema(schema)) },
    ] as const;
  });
  const ofPages = Object.entries(pageParameters).map(
    ([name, { description, schema }]) =>
      [name, { name, in: 'query', description, schema: registry.toJson(schema) }] as const,
  );
  return Object.fromEntries([...ofPaths, ...ofPages]);
}

/** Responses have UUIDs in lower case; requests may have them in any case (decisions 4). */
function asRequestSchema(schema: Schema): Schema {
  const { pattern: _, ...others } = schema;
  return schema.format === 'uuid' ? others : schema;
}

export const parameterRef = (name: string): Json => ({ $ref: `#/components/parameters/${name}` });

/** Query parameters of an operation, and `page` and `per_page` where it is a list. */
export function queryParameters(operation: Operation, registry: SchemaRegistry): Json[] {
  const own = Object.entries(operation.query ?? {}).flatMap(([name, parameter]) =>
    describeParameter(name, parameter, registry),
  );
  return operation.form === 'list' ? [...own, ...Object.keys(pageParameters).map(parameterRef)] : own;
}

/** An array parameter is described under both of its names, since OpenAPI has no aliases. */
function describeParameter(name: string, { form, description, schema }: Parameter, registry: SchemaRegistry): Json[] {
  const parameter = { name, in: 'query', description, schema: registry.toJson(asRequestSchema(schema)) };
  if (form === 'single') return [parameter];
  // An empty example: some reference pages fill in and send a made-up value otherwise.
  if (form === 'map') return [{ ...parameter, style: 'deepObject', explode: true, example: {} }];
  const repeated = { ...parameter, style: 'form', explode: true };
  return [repeated, { ...repeated, name: `${name}[]`, description: `The same as \`${name}\`` }];
}
