import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openApiDocument } from '../../core/openapi.js';
import { pathOf } from '../api/index.js';
import type { WireRequest, WireResponse } from './wire.js';

const document = openApiDocument({ baseUrl: 'https://api.ci.test' });
const schemaBase = 'https://schemas.test/';
const rebaseReferences = (part: unknown): Json =>
  JSON.parse(JSON.stringify(part).replaceAll('"#/components/schemas/', `"${schemaBase}`));

type Json = Readonly<Record<string, unknown>>;

interface Response {
  readonly $ref?: string;
  readonly content?: { readonly 'application/json'?: { readonly schema: Json } };
}
interface Path {
  readonly pattern: RegExp;
  readonly item: Readonly<Record<string, { readonly responses: Readonly<Record<string, Response>> }>>;
}

/** The paths of the document, those with the fewest placeholders first, because `suite` has precedence over `{suite}`. */
const paths: readonly Path[] = Object.entries(document.paths)
  .map(([path, item]) => ({ path, item: item as Path['item'] }))
  .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)
  .map(({ path, item }) => ({ pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`), item }));

/**
 * Validates responses against the OpenAPI document alone, with Ajv instead of the validation of the core: the status must be
 * declared for the request, and the body must have the schema of that status.
 */
export function openApiValidator(): (request: WireRequest, answer: WireResponse) => Promise<string[]> {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  formats.default(ajv);
  ajv.addKeyword('example');
  for (const [name, schema] of Object.entries(document.components.schemas))
    ajv.addSchema(rebaseReferences(schema), schemaBase + name);
  const compiled = new Map<Response, ValidateFunction | undefined>();

  const validatorOf = (response: Response): ValidateFunction | undefined => {
    if (!compiled.has(response)) {
      const schema = response.content?.['application/json']?.schema;
      compiled.set(response, schema && ajv.compile(rebaseReferences(schema)));
    }
    return compiled.get(response);
  };

  return async ({ method, target }, { status, text }) => {
    const path = pathOf(target);
    const item = paths.find(({ pattern }) => pattern.test(path))?.item;
    const declared = item?.[method === 'HEAD' ? 'get' : method.toLowerCase()]?.responses;
    if (declared === undefined) return [];
    const response = resolveResponse(declared[status]);
    if (response === undefined) return [`${method} ${path} answered ${status}, which the document does not declare`];
    const validator = validatorOf(response);
    if (validator === undefined || method === 'HEAD')
      return text === '' ? [] : ['the response has a body that is not declared'];
    if (validator(JSON.parse(text))) return [];
    return [`the response does not match the document: ${ajv.errorsText(validator.errors)}`];
  };
}

/** Resolves a reference to a response in the components. */
function resolveResponse(response: Response | undefined): Response | undefined {
  const name = /^#\/components\/responses\/(.+)$/.exec(response?.$ref ?? '')?.[1];
  return name === undefined ? response : (document.components.responses as Readonly<Record<string, Response>>)[name];
}
