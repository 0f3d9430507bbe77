import type { Infer, Schema } from './schema.js';

/** A validation error of one property of a body, in both styles of the specification (spec 7). */
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
  const isValid = (await compile(schema)).Check(value);
  const problems: Problem[] = [];
  for (const [field, property] of Object.entries((schema.properties ?? {}) as Record<string, Schema>)) {
    const given = Object.hasOwn(value, field) ? value[field] : undefined;
    const problem = isValid ? undefined : await problemOf(property, given, isRequired(schema, field));
    if (problem) problems.push({ field, ...problem });
    else if (!isStorable(given))
      problems.push({ field, code: 'invalid', reason: 'has a character that cannot be stored' });
  }
  return isValid && problems.length === 0 ? { value: pickDeclared(schema, value) as Infer<S> } : { problems };
}

/** Copies only the properties that the schema names, so that no others reach a record (decisions 1). */
function pickDeclared(schema: Schema, value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const names = Object.keys((schema.properties ?? {}) as object).filter((name) => Object.hasOwn(value, name));
  return Object.fromEntries(names.map((name) => [name, value[name]]));
}

const isRequired = (schema: Schema, field: string): boolean =>
  ((schema.required as readonly string[] | undefined) ?? []).includes(field);

type FieldProblem = Omit<Problem, 'field'>;

/** Validates each property separately, because one validation of the whole object stops after the first few errors. */
async function problemOf(property: Schema, given: unknown, required: boolean): Promise<FieldProblem | undefined> {
  if (given === undefined) return required ? blank : undefined;
  const check = await compile(property);
  if (check.Check(given)) return undefined;
  if (given === null && (required || property.reason === blank.reason)) return blank;
  const [error] = check.Errors(given)[1];
  if (!error) return invalid(property);
  const isInside = error.instancePath !== '';
  return describeError(
    error,
    isInside ? ((property.items ?? property.additionalProperties ?? property) as Schema) : property,
    isInside,
  );
}

const blank: FieldProblem = { code: 'missing', reason: "can't be blank" };

const invalid = (schema: Schema): FieldProblem => ({
  code: 'invalid',
  reason: typeof schema.reason === 'string' ? schema.reason : 'is invalid',
});

function describeError({ keyword, params }: SchemaError, schema: Schema, isInside: boolean): FieldProblem {
  switch (keyword) {
    case 'minLength':
    case 'minItems':
      return isInside ? invalid(schema) : blank;
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
    case 'propertyNames':
      return { code: 'too_long', reason: 'is too long' };
    case 'type':
      if (isInside || (typeof schema.reason === 'string' && schema.reason !== blank.reason)) return invalid(schema);
      return { code: 'invalid', reason: `must be ${typeName((params as { readonly type: unknown }).type)}` };
    case 'enum':
      if (!Array.isArray(schema.enum)) return invalid(schema);
      return { code: 'invalid', reason: `must be one of ${schema.enum.filter((value) => value !== null).join(', ')}` };
    default:
      return invalid(schema);
  }
}

function typeName(type: unknown): string {
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

const loneSurrogate = /\p{Surrogate}/u;
const isStorableText = (text: string): boolean => !text.includes('\u0000') && !loneSurrogate.test(text);

/** What is wrong with which field, as one sentence (spec 7): `Name can't be blank, Color must be a hex color code`. */
export const describeProblems = (problems: readonly Problem[]): string =>
  problems.map(({ field, reason }) => `${humanize(field)} ${reason}`).join(', ');

/** `default_queue_id` as sentences name it: `Default queue`. */
export function humanize(field: string): string {
  const words = field.replace(/_id$/, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
