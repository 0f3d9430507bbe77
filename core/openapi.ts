import { type OpenApiDocument, openApi } from './http/openapi/index.js';
import { operations } from './operations/index.js';
import { tags } from './operations/tags.js';
import { readBaseUrl } from './options.js';
import { type ChecksOf, checkOptions, httpUrl } from './options-check.js';

/** Options of `openApiDocument`. */
export interface OpenApiOptions {
  /** Where clients reach the API, as for `createApi`. Default: `http://localhost:4000`. */
  readonly baseUrl?: string;
}

const optionChecks: ChecksOf<OpenApiOptions> = { baseUrl: httpUrl };

/**
 * The OpenAPI 3.1 document of the whole API, as `GET /v2/openapi.json` answers it.
 *
 * @throws `TypeError`: an option is unknown or wrong.
 */
export function openApiDocument(options: OpenApiOptions = {}): OpenApiDocument {
  checkOptions('openApiDocument', options, optionChecks);
  return openApi({ operations, tags, baseUrl: readBaseUrl(options) });
}
