import type { Schema } from '../../schema/schema.js';

/** A part of the document: plain JSON. */
export type Json = Readonly<Record<string, unknown>>;

/** Writes schemas as JSON Schema, and collects those with a title: they are written once, and referred to. */
export interface SchemaBook {
  /** The schema as it stands in the document. */
  write(schema: Schema): Json;
  /** What was referred to, by name. */
  components(): Json;
}

/** Keywords whose values are schemas by name, schemas in a row, or one schema. All others are taken over as they are. */
const byName: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs']);
const inRow: ReadonlySet<string> = new Set(['anyOf', 'allOf', 'oneOf', 'prefixItems']);
const single: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'propertyNames', 'not', 'contains']);
/** Our own keywords: what messages say of a value, and the type that a schema carries. */
const own: ReadonlySet<string> = new Set(['reason', '~type']);

export function schemaBook(): SchemaBook {
  const named = new Map<string, Json>();

  const write = (schema: Schema): Json =>
    typeof schema.title === 'string' ? refer(schema, schema.title) : plain(schema);

  function plain(schema: Schema): Json {
    const written: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(schema))
      if (!own.has(keyword)) written[keyword] = part(keyword, value);
    return written;
  }

  function part(keyword: string, value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (inRow.has(keyword)) return (value as readonly Schema[]).map(write);
    if (single.has(keyword)) return write(value as Schema);
    if (!byName.has(keyword)) return value;
    return Object.fromEntries(
      Object.entries(value as Record<string, Schema>).map(([name, inner]) => [name, write(inner)]),
    );
  }

  /** A nullable schema is the named one or null, so that there is one `User`, and not one for each place it may be absent. */
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
    write,
    components: () => Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
