export { type DocsOptions, docsPage } from './docs-page.js';
