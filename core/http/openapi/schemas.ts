import type { Schema } from '../../schema/schema.js';

/** A part of the document: plain JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** Converts schemas to JSON Schema. Schemas with a title become components: each is defined once, elsewhere a `$ref`. */
export interface SchemaRegistry {
  /** The schema, or a `$ref` to its component. */
  toJson(schema: Schema): Json;
  /** The components that were referred to, by name. */
  components(): Json;
}

/** Keywords whose values are schemas by name, lists of schemas, or one schema. All other values are copied. */
const schemasByName: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs']);
const schemaLists: ReadonlySet<string> = new Set(['anyOf', 'allOf', 'oneOf', 'prefixItems']);
const singleSchemas: ReadonlySet<string> = new Set([
  'items',
  'additionalProperties',
  'propertyNames',
  'not',
  'contains',
]);
/** Keywords of this project that JSON Schema does not have: the text of an error, and the TypeScript type. */
const ownKeywords: ReadonlySet<string> = new Set(['reason', '~type']);

export function schemaRegistry(): SchemaRegistry {
  const named = new Map<string, Json>();

  const toJson = (schema: Schema): Json =>
    typeof schema.title === 'string' ? refer(schema, schema.title) : plain(schema);

  function plain(schema: Schema): Json {
    const written: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(schema))
      if (!ownKeywords.has(keyword)) written[keyword] = part(keyword, value);
    return written;
  }

  function part(keyword: string, value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (schemaLists.has(keyword)) return (value as readonly Schema[]).map(toJson);
    if (singleSchemas.has(keyword)) return toJson(value as Schema);
    if (!schemasByName.has(keyword)) return value;
    return Object.fromEntries(
      Object.entries(value as Record<string, Schema>).map(([name, inner]) => [name, toJson(inner)]),
    );
  }

  /** A nullable schema refers to the plain component or null, so that there is one component `User`. */
  function refer(schema: Schema, name: string): Json {
    const types = Array.isArray(schema.type) ? schema.type : [schema.type];
    const type = types.find((each) => each !== 'null');
    define(name, plain({ ...schema, type }));
    const reference = { $ref: `#/components/schemas/${name}` };
    return types.includes('null') ? { anyOf: [reference, { type: 'null' }] } : reference;
  }

  function define(name: string, written: Json): void {
    const known = named.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(written)) throw new Error(`Two schemas are called ${name}`);
    named.set(name, written);
  }

  return {
    toJson,
    components: () => Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
