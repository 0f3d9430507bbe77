import type { Definition, EntityName, Filter } from '../../../core/model/index.js';

/** A declared query with the kind of record that it finds. */
export type Query = Definition & { readonly entity: EntityName };

/**
 * The form of a filter's argument in one call. Each form has its own SQL, so a statement belongs to a query and the forms of its
 * filters: that is its shape. A shape has no values.
 */
export type FilterForm = 'value' | 'null' | 'many' | 'many-or-null' | 'entry' | 'entries';

export interface Shape {
  readonly forms: Readonly<Record<string, FilterForm>>;
  /** The same for calls that share a statement. */
  readonly key: string;
  /** No record can match: an `anyOf` without values. */
  readonly empty: boolean;
}

export function shapeOf(query: Definition, args: Readonly<Record<string, unknown>>): Shape {
  const forms: Record<string, FilterForm> = {};
  let key = '';
  let empty = false;
  for (const filters of [query.scope, query.filters]) {
    for (const name in filters) {
      const filter = filters[name];
      const argument = args[name];
      if (filter === undefined || argument === undefined) continue;
      const form = formOf(filter, argument);
      if (form === 'none') empty = true;
      else if (form !== 'all') {
        forms[name] = form;
        key += `${name} ${form},`;
      }
    }
  }
  return { forms, key, empty };
}

function formOf(filter: Filter, argument: unknown): FilterForm | 'none' | 'all' {
  if ('anyOf' in filter) {
    const values = new Set(argument as readonly unknown[]);
    if (values.size === 0) return 'none';
    if (values.size === 1) return values.has(null) ? 'null' : 'value';
    return values.has(null) ? 'many-or-null' : 'many';
  }
  if ('entries' in filter) {
    const count = Object.keys(argument as object).length;
    return count === 0 ? 'all' : count === 1 ? 'entry' : 'entries';
  }
  return argument === null ? 'null' : 'value';
}

/** The one value of a filter of the form `value`. */
export const singleValue = (argument: unknown): unknown => (Array.isArray(argument) ? argument[0] : argument);

/** The values of a filter of the form `many`, each of them once. */
export const distinctValues = (argument: unknown): unknown[] =>
  [...new Set(argument as readonly unknown[])].filter((value) => value !== null);
