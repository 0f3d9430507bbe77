/** How the page is filled in. */
interface PageParameters {
  readonly title: string;
  /** What leads from the page to its parts: `docs/` from `/docs`, nothing from `/docs/`. Works below any prefix. */
  readonly base: string;
  /** Release of Swagger UI: a new one has new addresses, so that browsers do not keep the old one. */
  readonly version: string;
}

/** The page. Everything it loads comes from beside it, so it works without the internet. */
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
 * Starts Swagger UI. The document is found from the address of this script, which is the same from both addresses of the
 * page. The validator of swagger.io is not asked: nothing leaves for the internet.
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
