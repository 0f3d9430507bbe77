import type { Schema } from '../schema/schema.js';
import { parseTimestamp } from '../schema/timestamps.js';
import { isStorable } from '../schema/validation.js';
import { Fixture, sections, timestampPattern } from './fixture-schema.js';
import { joinPath, Problems } from './problems.js';
import { childSchema, validateShape } from './validate-shape.js';

const sectionSchemas = Fixture.properties as Readonly<Record<string, Schema>>;

/**
 * Parses a document record by record. A value of the wrong form, or a text that cannot be stored, is a problem. Times are
 * converted to timestamps, and ids to lower case. Only the schemas of the kinds that occur are compiled.
 */
export async function parseFixture(document: unknown): Promise<Fixture | Problems> {
  const problems = new Problems();
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    problems.add('The document must be an object');
    return problems;
  }
  const parsed: Record<string, unknown[]> = {};
  for (const key of Object.keys(document)) {
    if (!Object.hasOwn(sectionSchemas, key)) problems.add(`${joinPath('', key)} is not a property of a fixture`);
  }
  for (const section of sections) {
    const records: unknown = (document as Readonly<Record<string, unknown>>)[section];
    if (records === undefined) continue;
    if (!Array.isArray(records)) {
      problems.add(`${section} must be an array`);
      continue;
    }
    parsed[section] = await parseRecords(sectionSchemas[section]?.items as Schema, records, section, problems);
  }
  return problems.exist ? problems : (parsed as Fixture);
}

async function parseRecords(schema: Schema, records: readonly unknown[], section: string, problems: Problems) {
  const parsed: unknown[] = [];
  for (const [index, record] of records.entries()) {
    const path = joinPath(section, index);
    const recordProblems = await validateShape(schema, record, path);
    for (const problem of recordProblems) problems.add(problem);
    if (recordProblems.length === 0) parsed.push(normalize(schema, record, path, problems));
  }
  return parsed;
}

/** The value in the form in which it is stored. Properties that are undefined are left out, as in JSON. */
function normalize(schema: Schema, value: unknown, path: string, problems: Problems): unknown {
  if (typeof value === 'string') return normalizeString(schema, value, path, problems);
  if (Array.isArray(value)) {
    const items = childSchema(schema, '0');
    return value.map((inner, index) => normalize(items, inner, joinPath(path, index), problems));
  }
  if (typeof value !== 'object' || value === null) return value;
  const parsed: [string, unknown][] = [];
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    const innerPath = joinPath(path, key);
    if (key === '__proto__' || !isStorable(key)) problems.add(`${innerPath} has a name that cannot be stored`);
    parsed.push([key, normalize(childSchema(schema, key), inner, innerPath, problems)]);
  }
  return Object.fromEntries(parsed);
}

function normalizeString(schema: Schema, value: string, path: string, problems: Problems): string {
  if (schema.format === 'uuid') return value.toLowerCase();
  if (schema.pattern === timestampPattern) {
    const timestamp = parseTimestamp(value);
    if (timestamp === undefined) problems.add(`${path} must be a date and time that exist, not ${value}`);
    return timestamp ?? value;
  }
  if (!isStorable(value)) problems.add(`${path} has a character that cannot be stored`);
  return value;
}
