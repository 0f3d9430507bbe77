import type { Operation } from './operation.js';
import { operations } from './operations/index.js';

/** The path of a request target. The absolute form (`GET http://host/path`) has the same path as the origin form. */
export function pathOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, '');
  return path === '' ? '/' : path;
}

interface Route {
  readonly operation: Operation;
  readonly methods: readonly string[];
  readonly pattern: RegExp;
  readonly placeholders: number;
}

/** A placeholder matches one segment that is neither empty nor `.` or `..`. A trailing slash is ignored (decisions 1). */
const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '(?!\\.{1,2}(?:/|$))[^/]+')}${path === '/' ? '' : '/?'}$`,
  );

/** Fixed segments have precedence over placeholders. */
const routes: readonly Route[] = operations
  .flatMap((operation) =>
    [operation.path, ...(operation.alsoPaths ?? [])].map((path) => ({
      operation,
      methods: [operation.method, ...(operation.alsoMethods ?? [])],
      pattern: patternOf(path),
      placeholders: path.split('{').length,
    })),
  )
  .toSorted((one, other) => one.placeholders - other.placeholders);

/** The operation of a request. Undefined for paths and methods without an operation. */
export function operationOf({
  method,
  target,
}: {
  readonly method: string;
  readonly target: string;
}): Operation | undefined {
  const path = pathOf(target);
  const wanted = method === 'HEAD' ? 'GET' : method;
  return routes.find(({ methods, pattern }) => methods.includes(wanted) && pattern.test(path))?.operation;
}
