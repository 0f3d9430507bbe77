import type { IncomingMessage } from 'node:http';
import { stripPrefix, toOriginForm } from '../http-shared/prefix.js';

/** What routers leave of a target: they strip what they matched from `url`. */
export interface RoutedRequest {
  readonly url?: string | undefined;
  readonly originalUrl?: string | undefined;
  readonly baseUrl?: string | undefined;
}

/** A request as hosts may have left it: besides what routers do, body parsers leave `body`. */
export type HostRequest = IncomingMessage &
  RoutedRequest & {
    readonly body?: unknown;
    /** Where the host sees the client, by the proxies that it trusts. */
    readonly ip?: string | undefined;
  };

/**
 * The target of a request without the mount prefix, still escaped; undefined if it is not below the prefix. Routers such as
 * Express strip the path they are mounted at themselves: where that took the prefix off, it is not taken off again.
 */
export function targetOf(request: RoutedRequest, prefix: string): string | undefined {
  const target = toOriginForm(request.url ?? '/');
  return prefix !== '' && strippedPath(request).endsWith(prefix) ? target : stripPrefix(target, prefix);
}

/** What the host's router has taken off the path, by Express's `baseUrl` or from the difference of `originalUrl` and `url`. */
function strippedPath({ baseUrl, originalUrl, url = '/' }: RoutedRequest): string {
  if (baseUrl !== undefined) return baseUrl;
  if (originalUrl === undefined || originalUrl === url) return '';
  // For `/ci?page=2` below `/ci`, routers make the url `/?page=2`.
  const tail = [url, url.slice(1)].find((end) => originalUrl.endsWith(end));
  return tail === undefined ? '' : originalUrl.slice(0, originalUrl.length - tail.length).replace(/\/$/, '');
}
