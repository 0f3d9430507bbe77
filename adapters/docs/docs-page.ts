import type { PageAnswer, Pages } from '../../core/ports/index.js';
import { docsFiles, findSwaggerUi } from './files.js';

export interface DocsOptions {
  /** Title of the page. Default: `Millrace API reference`. */
  readonly title?: string;
}

/**
 * Scripts and styles from here alone; requests may go to wherever the API says it is. Swagger UI sets styles on elements, and
 * has its icons as data.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self' http: https:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The reference of the API as a page, at `/docs` below wherever the API is mounted: Swagger UI over `/v2/openapi.json`, with
 * requests to try out. Needs no internet. Throws if the package `swagger-ui-dist` is not installed.
 *
 *     const api = createApi({ storage, pages: docsPage() });
 */
export function docsPage({ title = 'Millrace API reference' }: DocsOptions = {}): Pages {
  const files = docsFiles(findSwaggerUi(), title);
  const contents = new Map<string, Promise<Uint8Array>>();

  /** A file is read once; one that could not be read is tried again. */
  function readOnce(path: string, load: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const cached = contents.get(path);
    if (cached) return cached;
    const loading = load();
    contents.set(path, loading);
    loading.catch(() => contents.delete(path));
    return loading;
  }

  return {
    matches: (path) => files.has(path),
    async get(path): Promise<PageAnswer | undefined> {
      const file = files.get(path);
      if (!file) return undefined;
      const body = await readOnce(path, file.load);
      const isPage = file.type.startsWith('text/html');
      return {
        status: 200,
        headers: {
          'Content-Type': file.type,
          'X-Content-Type-Options': 'nosniff',
          // Parts have the release in their address; the page itself says which.
          'Cache-Control': isPage ? 'no-cache' : 'public, max-age=86400',
          ...(isPage ? { 'Content-Security-Policy': contentSecurityPolicy, 'Referrer-Policy': 'no-referrer' } : {}),
        },
        body,
      };
    },
  };
}
