/** The values that are inserted into the page. */
interface PageParameters {
  readonly title: string;
  /** Relative path from the page to its files: `docs/` from `/docs`, empty from `/docs/`. Works below any prefix. */
  readonly base: string;
  /** Release of Swagger UI. It is part of the file URLs, so that browsers do not use cached files of an older release. */
  readonly version: string;
}

/** The page. It loads files from its own origin only, so it works offline. */
export const renderPage = ({ title, base, version }: PageParameters): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escapeHtml(title)}</title>
    <link rel="icon" type="image/png" href="${base}favicon.png">
    <link rel="stylesheet" href="${base}swagger-ui.css?${version}">
  </head>
  <body>
    <div id="reference"></div>
    <noscript>This page needs JavaScript. The document it shows is at v2/openapi.json.</noscript>
    <script src="${base}swagger-ui-bundle.js?${version}"></script>
    <script src="${base}start.js?${version}"></script>
  </body>
</html>
`;

/**
 * Starts Swagger UI. The URL of the document is relative to this script, which has the same URL for `/docs` and `/docs/`. The
 * validator of swagger.io is off, so no request leaves for the internet.
 */
export const startScript = `window.ui = SwaggerUIBundle({
  url: new URL('../v2/openapi.json', document.currentScript.src).href,
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: true,
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
