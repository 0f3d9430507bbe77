import { type OpenApiDocument, openApi } from './http/openapi/index.js';
import { operations } from './operations/index.js';
import { tags } from './operations/tags.js';
import { readBaseUrl } from './options.js';

/**
 * The OpenAPI 3.1 document of the whole API, as `GET /v2/openapi.json` answers it. `baseUrl` is where the API is reached, as
 * for `createApi`; what is no http or https URL is a `TypeError`.
 */
export const openApiDocument = ({ baseUrl }: { readonly baseUrl?: string } = {}): OpenApiDocument =>
  openApi({ operations, tags, baseUrl: readBaseUrl(baseUrl) });
