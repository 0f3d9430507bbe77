import type { Operation } from '../../operations/contract/operation.js';
import type { Method } from '../router.js';
import { parameterRef, placeholders, queryParameters } from './parameters.js';
import { responsesOf } from './responses.js';
import type { Json, SchemaRegistry } from './schemas.js';

/** A method and path at which an operation is reached. */
export interface Endpoint {
  readonly method: Method;
  readonly path: string;
  /** The operation's id, with a suffix where this is not its first endpoint. */
  readonly id: string;
}

/** All endpoints of an operation; the one that the specification names comes first. */
export function endpointsOf(operation: Operation): readonly Endpoint[] {
  const { id, method, path, alsoMethods = [], alsoPaths = [] } = operation;
  return [path, ...alsoPaths].flatMap((atPath) =>
    [method, ...alsoMethods].map((byMethod) => ({
      method: byMethod,
      path: atPath,
      id: [
        id,
        ...(atPath === path ? [] : [lastWord(atPath)]),
        ...(byMethod === method ? [] : [byMethod.toLowerCase()]),
      ].join('.'),
    })),
  );
}

/** `suites` of `/teams/{team}/suites`. */
const lastWord = (path: string): string => path.split('/').findLast((segment) => /^\w/.test(segment)) ?? '';

/** The tag that groups an operation in the document: `builds` of `builds.cancel`. */
export const tagOf = ({ id }: Pick<Operation, 'id'>): string => id.slice(0, id.indexOf('.'));

/** Path items, in the order of the operations. */
export function pathItems(
  operations: readonly Operation[],
  tagOf: (operation: Operation) => string,
  registry: SchemaRegistry,
): Json {
  const items = new Map<string, Record<string, unknown>>();
  for (const operation of operations) {
    for (const endpoint of endpointsOf(operation)) {
      const item = items.get(endpoint.path) ?? {};
      item[endpoint.method.toLowerCase()] = operationObject(operation, endpoint, tagOf(operation), registry);
      items.set(endpoint.path, item);
    }
  }
  return Object.fromEntries(items);
}

function operationObject(operation: Operation, endpoint: Endpoint, tag: string, registry: SchemaRegistry): Json {
  const { id, summary, scope, form } = operation;
  const parameters = [...placeholders(endpoint.path).map(parameterRef), ...queryParameters(operation, registry)];
  const description = [
    operation.description,
    scope === null ? undefined : `Needs the scope \`${scope}\`.`,
    endpoint.id === id ? undefined : `Same as \`${id}\`.`,
  ].filter((sentence) => sentence !== undefined);
  return {
    operationId: endpoint.id,
    tags: [tag],
    summary: endpoint.id === id ? summary : `${summary} (alias)`,
    ...(description.length > 0 ? { description: description.join('\n\n') } : {}),
    security: form === 'public' ? [] : [{ accessToken: scope === null ? [] : [scope] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBody(operation, registry),
    responses: responsesOf(operation, endpoint.path, registry),
  };
}

function requestBody(operation: Operation, registry: SchemaRegistry): Json {
  if (operation.form !== 'command' || !operation.body) return {};
  const { body } = operation;
  return {
    requestBody: {
      // An empty body counts as `{}`.
      required: Array.isArray(body.required),
      content: { 'application/json': { schema: registry.toJson(body) } },
    },
  };
}
