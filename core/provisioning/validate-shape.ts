import type { Schema } from '../schema/schema.js';
import { compile } from '../schema/validation.js';
import { joinPath } from './problems.js';

interface SchemaError {
  readonly keyword: string;
  readonly schemaPath: string;
  readonly instancePath: string;
  readonly params: object;
}

/** The reasons why a value does not match a schema: a sentence for each path. Empty if the value matches. */
export async function validateShape(schema: Schema, value: unknown, path: string): Promise<string[]> {
  const compiled = await compile(schema);
  if (compiled.Check(value)) return [];
  const errors = compiled.Errors(value)[1] as SchemaError[];
  const messagesByPath = new Map<string, string>();
  for (const error of errors) {
    if (isRedundantUnionError(error, errors)) continue;
    const location = locationOf(schema, error.instancePath, path);
    for (const [where, what] of describeError(error, location))
      if (!messagesByPath.has(where)) messagesByPath.set(where, `${where} ${what}`);
  }
  return [...messagesByPath.values()];
}

/**
 * For a value with several allowed forms, the validator reports errors for each form. This returns them once: the errors about
 * parts of the value if there are any, otherwise one error that names the forms.
 */
function isRedundantUnionError(error: SchemaError, errors: readonly SchemaError[]): boolean {
  const inside = (outer: SchemaError) =>
    errors.some(
      (other) => other.instancePath.startsWith(`${outer.instancePath}/`) && other.schemaPath !== outer.schemaPath,
    );
  if (error.keyword === 'anyOf') return inside(error);
  return /\/anyOf\/\d+$/.test(error.schemaPath) && error.keyword === 'type';
}

interface SchemaLocation {
  readonly schema: Schema;
  readonly path: string;
}

/** The schema and the path for a JSON pointer. */
function locationOf(root: Schema, pointer: string, path: string): SchemaLocation {
  const keys = pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  return keys.reduce<SchemaLocation>(
    ({ schema, path }, key) => {
      const inner = childSchema(schema, key);
      return { schema: inner, path: joinPath(path, isArraySchema(schema) ? Number(key) : key) };
    },
    { schema: root, path },
  );
}

const unionMembers = (schema: Schema): readonly Schema[] => (schema.anyOf as readonly Schema[] | undefined) ?? [schema];
const isArraySchema = (schema: Schema): boolean => unionMembers(schema).some((form) => 'items' in form);

/** The schema of a property or an element. */
export function childSchema(schema: Schema, key: string): Schema {
  for (const form of unionMembers(schema)) {
    const properties = form.properties as Readonly<Record<string, Schema>> | undefined;
    if (properties && Object.hasOwn(properties, key)) return properties[key] as Schema;
    if (typeof form.items === 'object') return form.items as Schema;
    if (typeof form.additionalProperties === 'object') return form.additionalProperties as Schema;
  }
  return {};
}

function describeError(error: SchemaError, { schema, path }: SchemaLocation): [where: string, what: string][] {
  const params = error.params as Readonly<Record<string, unknown>>;
  switch (error.keyword) {
    case 'boolean':
      return [];
    case 'additionalProperties':
      return (params.additionalProperties as string[]).map((key) => [
        joinPath(path, key),
        'is not a property of a fixture',
      ]);
    case 'required':
      return (params.requiredProperties as string[]).map((key) => [joinPath(path, key), 'is missing']);
    case 'type':
      return [[path, `must be ${withArticle([params.type].flat())}`]];
    case 'anyOf':
      return [[path, `must be ${withArticle(unionMembers(schema).map((form) => form.type))}`]];
    case 'enum':
      return [[path, `must be one of ${(params.allowedValues as unknown[]).map(String).join(', ')}`]];
    case 'minLength':
    case 'minItems':
      return [[path, params.limit === 1 ? 'must not be empty' : 'is too short']];
    case 'maxLength':
    case 'maxItems':
      return [[path, `is too long: at most ${params.limit}`]];
    case 'minimum':
      return [[path, `must be at least ${params.limit}`]];
    case 'maximum':
      return [[path, `must be at most ${params.limit}`]];
    default:
      return [[path, typeof schema.reason === 'string' ? schema.reason : 'is malformed']];
  }
}

const withArticle = (types: readonly unknown[]): string =>
  types
    .flat()
    .map((type) => (type === 'null' ? 'null' : /^[aeiou]/.test(String(type)) ? `an ${type}` : `a ${type}`))
    .join(' or ');
