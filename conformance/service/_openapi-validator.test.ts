import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Json } from '../../core/http/openapi/schemas.js';
import { splitTarget } from '../../core/http/router.js';
import { openApiDocument } from '../../core/openapi.js';
import type { WireRequest, WireResponse } from './wire.js';

const document = openApiDocument({ baseUrl: 'https://api.ci.test' });
const schemaBase = 'https://schemas.test/';
const rebaseReferences = (part: unknown): Json =>
  JSON.parse(JSON.stringify(part).replaceAll('"#/components/schemas/', `"${schemaBase}`));

interface Response {
  readonly $ref?: string;
  readonly content?: { readonly 'application/json'?: { readonly schema: Json } };
}
interface Path {
  readonly pattern: RegExp;
  readonly item: Readonly<Record<string, { readonly responses: Readonly<Record<string, Response>> }>>;
}

/** Paths of the document; those with the fewest placeholders first, as `suite` goes before `{suite}`. */
const paths: readonly Path[] = Object.entries(document.paths)
  .map(([path, item]) => ({ path, item: item as Path['item'] }))
  .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)
  .map(({ path, item }) => ({ pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`), item }));

/**
 * Judges answers by the OpenAPI document alone, with a validator of another make than the core's: whether the status is one
 * that is declared for the request, and the body what is declared for that status.
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
    const { path } = splitTarget(target);
    const item = paths.find(({ pattern }) => pattern.test(path))?.item;
    const declared = item?.[method === 'HEAD' ? 'get' : method.toLowerCase()]?.responses;
    if (declared === undefined) return [];
    const response = resolveResponse(declared[status]);
    if (response === undefined) return [`${method} ${path} answered ${status}, which the document does not declare`];
    const validator = validatorOf(response);
    if (validator === undefined || method === 'HEAD') return text === '' ? [] : ['a body that is not declared'];
    if (validator(JSON.parse(text))) return [];
    return [`the document says otherwise: ${ajv.errorsText(validator.errors)}`];
  };
}

/** The response itself, where it is kept among the components. */
function resolveResponse(response: Response | undefined): Response | undefined {
  const name = /^#\/components\/responses\/(.+)$/.exec(response?.$ref ?? '')?.[1];
  return name === undefined ? response : (document.components.responses as Readonly<Record<string, Response>>)[name];
}
