import { type ApiError, errors, isApiError } from '../errors/index.js';
import * as schema from '../schema/schema.js';
import { parseTimestamp } from '../schema/timestamps.js';
import { isUuid } from '../schema/uuid.js';
import { isStorable } from '../schema/validation.js';
import type { QueryPair } from './query-string.js';

/** A query parameter: its description, and the function that reads its pairs. `read` returns undefined if it was not sent. */
export interface Parameter<T = unknown> {
  /** The form on the wire: `name=v`; `name=v` or `name[]=v`, repeated; `name[key]=v`, repeated. */
  readonly form: 'single' | 'array' | 'map';
  readonly schema: schema.Schema;
  readonly description: string;
  read(name: string, pairs: readonly QueryPair[]): T | undefined | ApiError;
}

export type Parameters = Readonly<Record<string, Parameter>>;
export type ParameterValues<P> = { readonly [K in keyof P]?: P[K] extends Parameter<infer T> ? T | undefined : never };

/** The largest number of values of one parameter (decisions 12). */
const maxValues = 100;

/** Converts one value, or returns the error message: `must be true or false`. */
type ReadValue<T> = (value: string) => { readonly is: T } | { readonly must: string };

function single<T>(described: schema.Schema, description: string, readValue: ReadValue<T>): Parameter<T> {
  return {
    form: 'single',
    schema: described,
    description,
    read(name, pairs) {
      const [first, ...others] = pairs;
      if (first === undefined) return undefined;
      if (others.length > 0 || first.key !== undefined) return errors.queryNotSingle({ parameter: name });
      return valueOrError(name, readValue(first.value));
    },
  };
}

function array<T>(described: schema.Schema, description: string, readValue: ReadValue<T>): Parameter<readonly T[]> {
  return {
    form: 'array',
    schema: schema.array(described, { maxItems: maxValues }),
    description,
    read(name, pairs) {
      if (pairs.length === 0) return undefined;
      if (pairs.length > maxValues) return errors.queryTooManyValues({ parameter: name, limit: maxValues });
      const values: T[] = [];
      for (const { key, value } of pairs) {
        if (!/^\d*$/.test(key ?? '')) return errors.queryNotArray({ parameter: name });
        const read = valueOrError(name, readValue(value));
        if (isApiError(read)) return read;
        values.push(read);
      }
      return values;
    },
  };
}

function valueOrError<T>(name: string, read: { is: T } | { must: string }): T | ApiError {
  return 'is' in read ? read.is : errors.queryInvalidValue({ parameter: name, requirement: read.must });
}

/** Text that no record can contain never reaches the storage: some databases reject it (decisions 1). */
const unstorable = 'must not have characters that cannot be stored';

const asString: ReadValue<string> = (value) => (isStorable(value) ? { is: value } : { must: unstorable });

const asTimestamp: ReadValue<string> = (value) => {
  const read = parseTimestamp(value);
  return read === undefined ? { must: 'must be an ISO 8601 date or date-time' } : { is: read };
};

const asUuid: ReadValue<string> = (value) => (isUuid(value) ? { is: value.toLowerCase() } : { must: 'must be a UUID' });

/** The forms that clients in several languages send (decisions 1). */
const asBoolean: ReadValue<boolean> = (value) => {
  if (['true', 'True', '1'].includes(value)) return { is: true };
  if (['false', 'False', '0'].includes(value)) return { is: false };
  return { must: 'must be true or false' };
};

export const stringParameter = (description: string) => single(schema.string(), description, asString);
export const stringsParameter = (description: string) => array(schema.string(), description, asString);
export const uuidParameter = (description: string) => single(schema.uuid(), description, asUuid);
export const booleanParameter = (description: string) => single(schema.boolean(), description, asBoolean);
export const timestampParameter = (description: string) =>
  single(schema.string({ format: 'date-time' }), description, asTimestamp);

export function enumsParameter<const T extends string>(values: readonly T[], description: string) {
  const known: ReadonlySet<string> = new Set(values);
  return array<T>(schema.enumeration(values), description, (value) =>
    known.has(value) ? { is: value as T } : { must: `must be one of ${values.join(', ')}` },
  );
}

/** `name[key]=value`, with different keys (decisions 1). A key with two values is an error, since it could match nothing. */
export function mapParameter(description: string): Parameter<Readonly<Record<string, string>>> {
  return {
    form: 'map',
    schema: schema.record(schema.string(), { maxProperties: maxValues }),
    description,
    read(name, pairs) {
      if (pairs.length === 0) return undefined;
      if (pairs.length > maxValues) return errors.queryTooManyValues({ parameter: name, limit: maxValues });
      const entries = new Map<string, string>();
      for (const { key, value } of pairs) {
        if (key === undefined || key === '') return errors.queryNotMap({ parameter: name });
        if (!isStorable([key, value])) return errors.queryInvalidValue({ parameter: name, requirement: unstorable });
        if ((entries.get(key) ?? value) !== value) return errors.queryAmbiguousKey({ parameter: name, key });
        entries.set(key, value);
      }
      return Object.fromEntries(entries);
    },
  };
}

/** Reads all declared parameters from the pairs. The first invalid one is the error. */
export function readParameters<P extends Parameters>(
  parameters: P,
  pairs: readonly QueryPair[],
): ParameterValues<P> | ApiError {
  const values: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(parameters)) {
    const value = parameter.read(
      name,
      pairs.filter((pair) => pair.name === name),
    );
    if (isApiError(value)) return value;
    if (value !== undefined) values[name] = value;
  }
  return values as ParameterValues<P>;
}
