import type { Operation } from '../../operations/contract/operation.js';
import { sharedParameters } from './parameters.js';
import { pathItems, tagOf } from './paths.js';
import { sharedHeaders, sharedResponses } from './responses.js';
import { type Json, schemaRegistry } from './schemas.js';

export { type Endpoint, endpointsOf, tagOf } from './paths.js';
export { replySchema } from './responses.js';
export type { Json } from './schemas.js';

/** A group of operations whose ids have the same first word. */
export interface Tag {
  readonly title: string;
  readonly description: string;
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: Json;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly Json[];
  readonly paths: Json;
  readonly components: { readonly schemas: Json; readonly [kind: string]: Json };
  readonly [more: string]: unknown;
}

/** What the document is derived from. */
export interface OpenApiSource {
  readonly operations: readonly Operation[];
  /** By the first word of the ids. */
  readonly tags: Readonly<Record<string, Tag>>;
  /** Absolute, without a slash at the end. */
  readonly baseUrl: string;
}

const infoDescription = `A CI service: agents, builds, clusters, teams and flaky tests.

Send an access token with every request: \`Authorization: Bearer <token>\`. Bodies are JSON, and so is every answer, errors
included: \`{"message": …}\`. A slash at the end of a path is ignored, and so are unknown query parameters and properties of
bodies. HEAD answers like GET, without the body. \`X-Request-Id\` of a request comes back in its answer.`;

/** The OpenAPI 3.1 document of an API, derived from its operations. Throws if an operation has no tag. */
export function openApi({ operations, tags, baseUrl }: OpenApiSource): OpenApiDocument {
  const registry = schemaRegistry();
  const tag = (name: string): Tag => {
    const known = tags[name];
    if (!known) throw new Error(`There is no tag ${name}`);
    return known;
  };
  const paths = pathItems(operations, (operation) => tag(tagOf(operation)).title, registry);
  const parameters = sharedParameters(operations, registry);
  const responses = sharedResponses(registry);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Millrace',
      version: '2',
      description: infoDescription,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set(operations.map(tagOf))].map((name) => {
      const { title, description } = tag(name);
      return { name: title, description };
    }),
    paths,
    components: {
      schemas: registry.components(),
      parameters,
      headers: sharedHeaders(),
      responses,
      securitySchemes: {
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API access token with the scope that is named',
        },
      },
    },
  };
}
