import { type OpenApiDocument, openApi } from './contract/openapi/index.js';
import { families } from './operations/families.js';
import { operations } from './operations/index.js';
import { readBaseUrl } from './settings.js';

/**
 * The OpenAPI 3.1 document of the whole API, as `GET /v2/openapi.json` answers it. `baseUrl` is where the API is reached, as
 * for `createApi`; what is no http or https URL is a `TypeError`.
 */
export const openApiDocument = ({ baseUrl }: { readonly baseUrl?: string } = {}): OpenApiDocument =>
  openApi({ operations, families, baseUrl: readBaseUrl(baseUrl) });
