import { type ChecksOf, checkOptions, text } from '../../core/options-check.js';
import type { PageAnswer, Pages } from '../../core/ports/index.js';
import { docsFiles, findSwaggerUi } from './files.js';

export interface DocsOptions {
  /** Title of the page. Default: `Millrace API reference`. */
  readonly title?: string;
}

const optionChecks: ChecksOf<DocsOptions> = { title: text };

/**
 * Scripts and styles load from the same origin only. Requests may go to any address, since the base URL of the API may be another
 * origin. Swagger UI needs inline styles and icons as data URLs.
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
 * The API reference as a page at `/docs`, below the path that the API is mounted at: Swagger UI for `/v2/openapi.json`, with
 * requests to try out. Works offline. Throws if the package `swagger-ui-dist` is not installed.
 *
 *     const api = createApi({ storage, pages: docsPage() });
 */
export function docsPage(options: DocsOptions = {}): Pages {
  checkOptions('docsPage', options, optionChecks);
  const { title = 'Millrace API reference' } = options;
  const files = docsFiles(findSwaggerUi(), title);
  const contents = new Map<string, Promise<Uint8Array>>();

  /** Reads a file once. A failed read is tried again on the next request. */
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
          // The URLs of scripts and styles contain the release of Swagger UI, so they can be cached; the page cannot.
          'Cache-Control': isPage ? 'no-cache' : 'public, max-age=86400',
          ...(isPage ? { 'Content-Security-Policy': contentSecurityPolicy, 'Referrer-Policy': 'no-referrer' } : {}),
        },
        body,
      };
    },
  };
}
