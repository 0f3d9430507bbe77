import type { OpenApiDocument } from '../contract/openapi/index.js';
import { type Operation, open } from '../contract/operation.js';
import { anything } from '../contract/schema.js';
import type { Links } from '../representations/links.js';
import { families } from './families.js';

/** The document about a list of operations, itself among them: made when it is first asked for, and kept for each API. */
export function describing(operations: () => readonly Operation[]) {
  const made = new WeakMap<Links, OpenApiDocument>();
  return open({
    id: 'meta.openapi',
    summary: 'Get the OpenAPI document of this API',
    method: 'GET',
    path: '/v2/openapi.json',
    reply: anything({ description: 'An OpenAPI 3.1 document' }),
    async run({ links }) {
      const known = made.get(links);
      if (known) return known;
      const { openApi } = await import('../contract/openapi/index.js');
      const document = openApi({ operations: operations(), families, baseUrl: links.api('') });
      made.set(links, document);
      return document;
    },
  });
}
