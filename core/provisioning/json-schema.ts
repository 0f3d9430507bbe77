import type { Schema } from '../schema/schema.js';
import { Fixture } from './fixture-schema.js';

/** The address of the schema, which is published with every release of the package. */
const schemaId = 'https://unpkg.com/millrace/docs/fixture.schema.json';

/** The JSON Schema (draft 2020-12) of fixtures, for editors and for programs in other languages that write fixtures. */
export const fixtureSchema = (): Readonly<Record<string, unknown>> => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: schemaId,
  title: 'Millrace fixture',
  ...(withoutReasons(Fixture) as Schema),
});

/** The schema without the keywords that only this project uses. */
function withoutReasons(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutReasons);
  if (typeof value !== 'object' || value === null) return value;
  const schema = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(schema).flatMap(([key, inner]) =>
      key === 'reason' && typeof inner === 'string' ? [] : [[key, withoutReasons(inner)]],
    ),
  );
}
