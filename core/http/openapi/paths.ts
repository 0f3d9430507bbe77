import type { Operation } from '../../operations/contract/operation.js';
import type { Method } from '../router.js';
import { answersOf } from './answers.js';
import { placeholders, queryParameters, refer } from './parameters.js';
import type { Json, SchemaBook } from './schemas.js';

/** One way to reach an operation. */
export interface Way {
  readonly method: Method;
  readonly path: string;
  /** The operation's id, with what is different about this way if it is not the first. */
  readonly id: string;
}

/** All ways to reach an operation, the one that the specification writes first. */
export function waysOf(operation: Operation): readonly Way[] {
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

/** The family of an operation, by which documents group it: `builds` of `builds.cancel`. */
export const familyOf = ({ id }: Pick<Operation, 'id'>): string => id.slice(0, id.indexOf('.'));

/** Path items, in the order of the operations. */
export function pathItems(
  operations: readonly Operation[],
  tagOf: (operation: Operation) => string,
  book: SchemaBook,
): Json {
  const items = new Map<string, Record<string, unknown>>();
  for (const operation of operations) {
    for (const way of waysOf(operation)) {
      const item = items.get(way.path) ?? {};
      item[way.method.toLowerCase()] = described(operation, way, tagOf(operation), book);
      items.set(way.path, item);
    }
  }
  return Object.fromEntries(items);
}

function described(operation: Operation, way: Way, tag: string, book: SchemaBook): Json {
  const { id, summary, scope, form } = operation;
  const parameters = [...placeholders(way.path).map(refer), ...queryParameters(operation, book)];
  const description = [
    operation.description,
    scope === null ? undefined : `Needs the scope \`${scope}\`.`,
    way.id === id ? undefined : `Another way to \`${id}\`.`,
  ].filter((sentence) => sentence !== undefined);
  return {
    operationId: way.id,
    tags: [tag],
    summary: way.id === id ? summary : `${summary} (another way)`,
    ...(description.length > 0 ? { description: description.join('\n\n') } : {}),
    security: form === 'public' ? [] : [{ accessToken: scope === null ? [] : [scope] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...requestBody(operation, book),
    responses: answersOf(operation, way.path, book),
  };
}

function requestBody(operation: Operation, book: SchemaBook): Json {
  if (operation.form !== 'command' || !operation.body) return {};
  const { body } = operation;
  return {
    requestBody: {
      // An empty body counts as `{}`.
      required: Array.isArray(body.required),
      content: { 'application/json': { schema: book.write(body) } },
    },
  };
}
