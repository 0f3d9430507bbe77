import type { Operation } from '../../operations/contract/operation.js';
import { sharedAnswers, sharedHeaders } from './answers.js';
import { sharedParameters } from './parameters.js';
import { familyOf, pathItems } from './paths.js';
import { type Json, schemaBook } from './schemas.js';

export { replySchema } from './answers.js';
export { familyOf, type Way, waysOf } from './paths.js';
export type { Json } from './schemas.js';

/** How documents name and describe operations whose ids begin alike. */
export interface Family {
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

/** What an API consists of, as far as a document shows it. */
export interface Described {
  readonly operations: readonly Operation[];
  /** By the first word of the ids. */
  readonly families: Readonly<Record<string, Family>>;
  /** Absolute, without a slash at the end. */
  readonly baseUrl: string;
}

const about = `A CI service: agents, builds, clusters, teams and flaky tests.

Send an access token with every request: \`Authorization: Bearer <token>\`. Bodies are JSON, and so is every answer, errors
included: \`{"message": …}\`. A slash at the end of a path is ignored, and so are unknown query parameters and properties of
bodies. HEAD answers like GET, without the body. \`X-Request-Id\` of a request comes back in its answer.`;

/** The OpenAPI 3.1 document of an API, derived from its operations. Throws if an operation belongs to no family. */
export function openApi({ operations, families, baseUrl }: Described): OpenApiDocument {
  const book = schemaBook();
  const family = (name: string): Family => {
    const known = families[name];
    if (!known) throw new Error(`There is no family ${name}`);
    return known;
  };
  const paths = pathItems(operations, (operation) => family(familyOf(operation)).title, book);
  const parameters = sharedParameters(operations, book);
  const responses = sharedAnswers(book);
  return {
    openapi: '3.1.0',
    info: { title: 'Millrace', version: '2', description: about, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: baseUrl }],
    tags: [...new Set(operations.map(familyOf))].map((name) => {
      const { title, description } = family(name);
      return { name: title, description };
    }),
    paths,
    components: {
      schemas: book.components(),
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
