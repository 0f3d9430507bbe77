import { addRoute, createRouter, findRoute } from 'rou3';
import { type ApiError, errors } from '../errors/index.js';
import { decodePercent } from './query-string.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Method and path of a route. Paths are written as `/v2/organizations/{organization}/agents`, without a trailing slash. */
export interface Route<T> {
  readonly methods: readonly Method[];
  readonly paths: readonly string[];
  readonly target: T;
}

export interface Match<T> {
  readonly route: T;
  /** Path parameters by name, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

export interface Target {
  /** The path as it was sent, without the query. */
  readonly path: string;
  /** The query as it was sent, without `?`. */
  readonly query: string;
}

/** Splits a request target. For the absolute form (`GET http://host/path`), only path and query count. */
export function splitTarget(target: string): Target {
  const relative = target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  const question = relative.indexOf('?');
  const path = question < 0 ? relative : relative.slice(0, question);
  return { path: path === '' ? '/' : path, query: question < 0 ? '' : relative.slice(question + 1) };
}

export interface Router<T> {
  /** The route for a method and path. A 400, 404 or 405 error if there is none (decisions 1). HEAD is routed as GET. */
  match(method: string, path: string): Match<T> | ApiError;
  /** The methods of a path, as in `Allow`. None for an unknown path. */
  allowed(path: string): readonly string[];
}

/** An empty segment or a dot segment. */
const emptyOrDotSegment = /\/\.{0,2}(?:\/|$)/;

/** Makes a router. A trailing slash is ignored; empty and dot segments match nothing and are never resolved. */
export function router<T>(routes: readonly Route<T>[]): Router<T> {
  const tree = createRouter<Map<Method, T>>();
  const byPath = new Map<string, Map<Method, T>>();
  for (const { methods, paths, target } of routes) {
    for (const path of paths) {
      const pattern = path.replace(/\{(\w+)\}/g, ':$1');
      let methodsOfPath = byPath.get(pattern);
      if (!methodsOfPath) {
        methodsOfPath = new Map();
        byPath.set(pattern, methodsOfPath);
        addRoute(tree, '', pattern, methodsOfPath);
      }
      for (const method of methods) {
        if (methodsOfPath.has(method)) throw new Error(`Two operations at ${method} ${path}`);
        methodsOfPath.set(method, target);
      }
    }
  }

  const lookUp = (path: string) => {
    const trimmed = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
    const isPlain = path === '/' || !emptyOrDotSegment.test(trimmed);
    return isPlain && trimmed.startsWith('/') ? findRoute(tree, '', trimmed) : undefined;
  };
  const allow = (methods: ReadonlyMap<Method, T>) =>
    [...methods.keys()].flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).concat('OPTIONS');

  return {
    match(method, path) {
      if (decodePercent(path) === undefined) return errors.pathMalformed();
      const found = lookUp(path);
      if (!found) return errors.routeNotFound({ method, path });
      const route = found.data.get((method === 'HEAD' ? 'GET' : method) as Method);
      if (route === undefined) return errors.methodNotAllowed({ methods: allow(found.data).join(', ') });
      const params: Record<string, string> = {};
      for (const [name, value] of Object.entries(found.params ?? {})) params[name] = decodePercent(value) ?? value;
      return { route, params };
    },
    allowed(path) {
      const found = lookUp(path);
      return found ? allow(found.data) : [];
    },
  };
}
