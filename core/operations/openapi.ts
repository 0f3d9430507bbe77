import type { OpenApiDocument } from '../http/openapi/index.js';
import type { Links } from '../representations/links.js';
import { unknown } from '../schema/schema.js';
import { type Operation, publicRoute } from './contract/operation.js';
import { tags } from './tags.js';

/** The operation that returns the OpenAPI document, which includes the operation itself. Created on first use, then cached per API. */
export function openApiOperation(operations: () => readonly Operation[]) {
  const documents = new WeakMap<Links, OpenApiDocument>();
  return publicRoute({
    id: 'meta.openapi',
    summary: 'Get the OpenAPI document of this API',
    method: 'GET',
    path: '/v2/openapi.json',
    reply: unknown({ description: 'An OpenAPI 3.1 document' }),
    async run({ links }) {
      const cached = documents.get(links);
      if (cached) return cached;
      const { openApi } = await import('../http/openapi/index.js');
      const document = openApi({ operations: operations(), tags, baseUrl: links.api('') });
      documents.set(links, document);
      return document;
    },
  });
}
