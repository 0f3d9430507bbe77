import type { IncomingMessage } from 'node:http';

/** A request as hosts may have left it: routers strip what they matched from `url`, body parsers leave `body`. */
export type HostRequest = IncomingMessage & {
  readonly body?: unknown;
  readonly originalUrl?: string | undefined;
  readonly baseUrl?: string | undefined;
};

/** The prefix without a slash at its end; empty if there is none. Throws `TypeError` if it is no path. */
export function readPrefix(prefix = ''): string {
  const trimmed = prefix.replace(/\/+$/, '');
  if (trimmed !== '' && (!trimmed.startsWith('/') || /[?#\s]/.test(trimmed)))
    throw new TypeError(`The prefix must be a path such as /ci, not ${JSON.stringify(prefix)}`);
  return trimmed;
}

/**
 * The target of a request without the mount prefix, still escaped; undefined if it is not below the prefix. Routers such as
 * Express strip the path they are mounted at themselves: where that took the prefix off, it is not taken off again.
 */
export function targetOf(request: HostRequest, prefix: string): string | undefined {
  const target = originForm(request.url ?? '/');
  if (prefix === '' || strippedPath(request).endsWith(prefix)) return target;
  if (!target.startsWith(prefix)) return undefined;
  const rest = target.slice(prefix.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : undefined;
}

/** Proxies send absolute targets, `GET http://host/path`; the API only goes by what follows the host. */
export function originForm(target: string): string {
  const absolute = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(target);
  if (!absolute) return target;
  const rest = target.slice(absolute[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** What the host's router has taken off the path, by Express's `baseUrl` or from the difference of `originalUrl` and `url`. */
function strippedPath({ baseUrl, originalUrl, url = '/' }: HostRequest): string {
  if (baseUrl !== undefined) return baseUrl;
  if (originalUrl === undefined || originalUrl === url) return '';
  // For `/ci?page=2` below `/ci`, routers make the url `/?page=2`.
  const tail = [url, url.slice(1)].find((end) => originalUrl.endsWith(end));
  return tail === undefined ? '' : originalUrl.slice(0, originalUrl.length - tail.length).replace(/\/$/, '');
}
