import type { Infer, Schema } from './schema.js';

/** What is wrong with one property of a body, in both styles of the specification (spec 7). */
export interface Problem {
  /** The property of the body, such as `commit`. */
  readonly field: string;
  readonly code: 'missing' | 'invalid' | 'too_long';
  /** As in `Name can't be blank`, without the name. */
  readonly reason: string;
}

export type Validator = (value: unknown) => readonly Problem[];

interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: object;
}

type Compiled = { Check(value: unknown): boolean; Errors(value: unknown): [boolean, SchemaError[]] };
const compiled = new WeakMap<Schema, Compiled>();

/** Compiles a schema once, when it is first needed: TypeBox is not loaded before that. */
export async function compile(schema: Schema): Promise<Compiled> {
  const known = compiled.get(schema);
  if (known) return known;
  const { Compile } = await import('typebox/schema');
  const made = Compile(schema as object) as Compiled;
  compiled.set(schema, made);
  return made;
}

/** The value, typed, or what is wrong with it: at most one problem for a field, in the order of the schema's properties. */
export async function validate<S extends Schema>(
  schema: S,
  value: Readonly<Record<string, unknown>>,
): Promise<{ readonly value: Infer<S> } | { readonly problems: readonly Problem[] }> {
  const check = await compile(schema);
  const properties = Object.keys((schema.properties ?? {}) as object);
  const found = new Map<string, Problem>();
  const note = (problem: Problem) => {
    if (!found.has(problem.field)) found.set(problem.field, problem);
  };
  if (!check.Check(value))
    for (const error of check.Errors(value)[1]) for (const p of explain(schema, error, value)) note(p);
  for (const field of properties) {
    if (!isStorable(value[field])) note({ field, code: 'invalid', reason: 'has a character that cannot be stored' });
  }
  if (found.size === 0) return { value: value as Infer<S> };
  return { problems: properties.flatMap((field) => found.get(field) ?? []) };
}

function explain(schema: Schema, error: SchemaError, value: Readonly<Record<string, unknown>>): Problem[] {
  const params = error.params as Readonly<Record<string, unknown>>;
  const [, field, ...inner] = error.instancePath
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (field === undefined) {
    const names = error.keyword === 'required' ? (params.requiredProperties as string[]) : [];
    return names.map((name) => blank(name));
  }
  const property = (schema.properties as Record<string, Schema>)[field] ?? {};
  if (inner.length > 0) return [{ field, ...wording(error.keyword, params, {}) }];
  if (value[field] === null && ((schema.required as string[] | undefined) ?? []).includes(field)) return [blank(field)];
  return [{ field, ...wording(error.keyword, params, property) }];
}

const blank = (field: string): Problem => ({ field, code: 'missing', reason: "can't be blank" });

function wording(keyword: string, params: Readonly<Record<string, unknown>>, property: Schema): Omit<Problem, 'field'> {
  switch (keyword) {
    case 'minLength':
    case 'minItems':
      return { code: 'missing', reason: "can't be blank" };
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
    case 'propertyNames':
      return { code: 'too_long', reason: 'is too long' };
    case 'type':
      return {
        code: 'invalid',
        reason: typeof property.reason === 'string' ? property.reason : `must be ${aType(params.type)}`,
      };
    case 'enum':
      return {
        code: 'invalid',
        reason: `must be one of ${((property.enum ?? []) as unknown[]).filter((v) => v !== null).join(', ')}`,
      };
    default:
      return { code: 'invalid', reason: typeof property.reason === 'string' ? property.reason : 'is invalid' };
  }
}

function aType(type: unknown): string {
  const names = (Array.isArray(type) ? type : [type]).filter((name) => name !== 'null');
  return names.map((name) => (/^[aeiou]/.test(String(name)) ? `an ${name}` : `a ${name}`)).join(' or ');
}

/** NUL and lone surrogates are refused everywhere: databases refuse them or change them silently (decisions 1). */
export function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (Array.isArray(value)) return value.every(isStorable);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, inner]) => isStorableText(key) && isStorable(inner));
}

const lone = /\p{Surrogate}/u;
const isStorableText = (text: string): boolean => !text.includes('\u0000') && !lone.test(text);

/** `default_queue_id` as sentences name it: `Default queue`. */
export function humanize(field: string): string {
  const words = field.replace(/_id$/, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
