/**
 * JSON Schema (draft 2020-12) as plain objects, with the TypeScript type of the values that they describe.
 *
 * Plain objects are cheap to create, so that importing the core is fast. TypeBox compiles a schema when it is first used
 * (`validation.ts`), and the OpenAPI document contains the objects unchanged.
 */
export interface Schema<T = unknown> {
  readonly [keyword: string]: unknown;
  /** The type of the values, for the compiler only; never present at run time. */
  readonly '~type'?: T;
}

export type Infer<S> = S extends Schema<infer T> ? T : never;

interface Annotations {
  /** The name in the OpenAPI document and in generated code. Schemas with the same title are equal. */
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  /** The value that is used if it is absent. */
  readonly default?: unknown;
  /** The error message for a value that does not match the pattern or format: `Color must be a hex color code`. */
  readonly reason?: string;
}

const schemaOf = <T>(keywords: Readonly<Record<string, unknown>>): Schema<T> => keywords;

export const string = (
  options: Annotations & { maxLength?: number; minLength?: number; pattern?: string; format?: string } = {},
) => schemaOf<string>({ type: 'string', ...options });
export const integer = (options: Annotations & { minimum?: number; maximum?: number } = {}) =>
  schemaOf<number>({ type: 'integer', ...options });
export const boolean = (options: Annotations = {}) => schemaOf<boolean>({ type: 'boolean', ...options });
export const enumeration = <const T extends string>(values: readonly T[], options: Annotations = {}) =>
  schemaOf<T>({ type: 'string', enum: values, ...options });
export const array = <T>(items: Schema<T>, options: Annotations & { maxItems?: number; minItems?: number } = {}) =>
  schemaOf<readonly T[]>({ type: 'array', items, ...options });

/** An object with any keys, whose values all match one schema. */
export const record = <T>(values: Schema<T>, options: Annotations & { maxProperties?: number } = {}) =>
  schemaOf<Readonly<Record<string, T>>>({ type: 'object', additionalProperties: values, ...options });

export const uuid = (options: Annotations = {}) =>
  string({ format: 'uuid', pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$', ...options });
/** A UUID in a request, in any case. Operations convert it to lower case (decisions 4). */
export const uuidAnyCase = (options: Annotations = {}) =>
  string({
    format: 'uuid',
    pattern: '^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$',
    reason: 'must be a UUID',
    ...options,
  });
/** A timestamp in a response: UTC with three decimals (spec 2). */
export const timestamp = (options: Annotations = {}) =>
  string({
    format: 'date-time',
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
    examples: ['2026-01-05T09:00:00.000Z'],
    ...options,
  });
export const url = (options: Annotations = {}) => string({ format: 'uri', ...options });

export const unknown = (options: Annotations = {}) => schemaOf<unknown>({ ...options });

/** The same schema, or null. */
export function nullable<T>(schema: Schema<T>): Schema<T | null> {
  if (typeof schema.type !== 'string') return schemaOf({ anyOf: [schema, { type: 'null' }] });
  return schemaOf({
    ...schema,
    type: [schema.type, 'null'],
    ...(Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {}),
  });
}

/** A property that may be absent. */
export interface Optional<T> {
  readonly optional: Schema<T>;
}
export const optional = <T>(schema: Schema<T>): Optional<T> => ({ optional: schema });

type Property = Schema | Optional<unknown>;
type Value<P> = P extends Optional<infer T> ? T : P extends Schema<infer T> ? T : never;
type OptionalKeys<P> = { [K in keyof P]: P[K] extends Optional<unknown> ? K : never }[keyof P];
type ObjectOf<P> = { readonly [K in Exclude<keyof P, OptionalKeys<P>>]: Value<P[K]> } & {
  readonly [K in OptionalKeys<P>]?: Value<P[K]>;
};

function objectKeywords(properties_: Readonly<Record<string, Property>>) {
  const all: Record<string, Schema> = {};
  const required: string[] = [];
  for (const [name, property] of Object.entries(properties_)) {
    const isOptional = 'optional' in property && typeof property.optional === 'object';
    all[name] = isOptional ? (property.optional as Schema) : (property as Schema);
    if (!isOptional) required.push(name);
  }
  return { type: 'object', properties: all, ...(required.length > 0 ? { required } : {}) };
}

/** An object in a response. It has only the named properties. */
export const strictObject = <const P extends Readonly<Record<string, Property>>>(
  properties_: P,
  options: Annotations = {},
) => schemaOf<ObjectOf<P>>({ ...objectKeywords(properties_), additionalProperties: false, ...options });

/** An object in a request. Unknown properties are ignored (decisions 1). */
export const looseObject = <const P extends Readonly<Record<string, Property>>>(
  properties_: P,
  options: Annotations = {},
) => schemaOf<ObjectOf<P>>({ ...objectKeywords(properties_), ...options });
