import type { IncomingMessage } from 'node:http';
import { stripPrefix, toOriginForm } from '../http-shared/prefix.js';

/** The fields by which routers such as Express describe a target: they strip the matched path from `url`. */
export interface RoutedRequest {
  readonly url?: string | undefined;
  readonly originalUrl?: string | undefined;
  readonly baseUrl?: string | undefined;
}

/** A request as a host passes it on: routers change the target, body parsers set `body`. */
export type HostRequest = IncomingMessage &
  RoutedRequest & {
    readonly body?: unknown;
    /** The client's address as the host determines it, by the proxies that it trusts. */
    readonly ip?: string | undefined;
  };

/**
 * The target of a request without the mount prefix, still escaped; undefined if it is not below the prefix. Routers such as
 * Express strip the mount path themselves; a prefix that they have stripped is not stripped again.
 */
export function targetOf(request: RoutedRequest, prefix: string): string | undefined {
  const target = toOriginForm(request.url ?? '/');
  return prefix !== '' && strippedPath(request).endsWith(prefix) ? target : stripPrefix(target, prefix);
}

/** The path that the host's router has stripped: Express's `baseUrl`, or the difference of `originalUrl` and `url`. */
function strippedPath({ baseUrl, originalUrl, url = '/' }: RoutedRequest): string {
  if (baseUrl !== undefined) return baseUrl;
  if (originalUrl === undefined || originalUrl === url) return '';
  // Routers turn `/ci?page=2` into `/?page=2` below `/ci`.
  const tail = [url, url.slice(1)].find((end) => originalUrl.endsWith(end));
  return tail === undefined ? '' : originalUrl.slice(0, originalUrl.length - tail.length).replace(/\/$/, '');
}
