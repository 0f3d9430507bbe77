import { Compile } from 'typebox/schema';
import type { Schema } from './schema.js';

interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: object;
}

interface Validator {
  Check(value: unknown): boolean;
  Errors(value: unknown): [boolean, SchemaError[]];
}

const validators = new WeakMap<Schema, Validator>();

/** Descriptions of where and how a body violates a schema. Empty if it does not. */
export function schemaViolations(schema: Schema, body: unknown): string[] {
  const validator = validators.get(schema) ?? (Compile(schema as object) as Validator);
  validators.set(schema, validator);
  if (validator.Check(body)) return [];
  const [, errors] = validator.Errors(body);
  return errors.map((error) => `body${error.instancePath} violates ${error.keyword} ${JSON.stringify(error.params)}`);
}
