import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { renderPage, startScript } from './page.js';

/** A file of the page: its media type, and a function that loads it on the first request. */
export interface DocsFile {
  readonly type: string;
  load(): Promise<Uint8Array>;
}

/** The installed package swagger-ui-dist: its folder and release. */
export interface SwaggerUi {
  readonly folder: string;
  readonly version: string;
}

/** Resolves swagger-ui-dist from the module at `from`. Throws if it is not installed. */
export function findSwaggerUi(from: string = import.meta.url): SwaggerUi {
  const require = createRequire(from);
  try {
    const manifest = require.resolve('swagger-ui-dist/package.json');
    return { folder: dirname(manifest), version: (require(manifest) as { version: string }).version };
  } catch (cause) {
    throw new Error('The reference page needs the package swagger-ui-dist: npm install swagger-ui-dist', { cause });
  }
}

const html = 'text/html; charset=utf-8';
const script = 'text/javascript; charset=utf-8';

/** All files of the page by path. Only paths in this table are served. */
export function docsFiles(ui: SwaggerUi, title: string): ReadonlyMap<string, DocsFile> {
  const generated = (type: string, text: string): DocsFile => ({ type, load: async () => Buffer.from(text) });
  const packaged = (type: string, name: string): DocsFile => ({ type, load: () => readFile(join(ui.folder, name)) });
  return new Map([
    ['/docs', generated(html, renderPage({ title, base: 'docs/', version: ui.version }))],
    ['/docs/', generated(html, renderPage({ title, base: '', version: ui.version }))],
    ['/docs/start.js', generated(script, startScript)],
    ['/docs/swagger-ui-bundle.js', packaged(script, 'swagger-ui-bundle.js')],
    ['/docs/swagger-ui.css', packaged('text/css; charset=utf-8', 'swagger-ui.css')],
    ['/docs/favicon.png', packaged('image/png', 'favicon-32x32.png')],
  ]);
}
