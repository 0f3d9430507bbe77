import {
  type Definition,
  type Direction,
  type EntityName,
  entities,
  entityNames,
  type Filter,
  queryDefinition,
  queryNames,
} from '../../../core/model/index.js';
import { entriesTableOf, tableOf } from '../identifiers.js';
import type { Index } from './schema.js';

type Order = readonly (readonly [string, Direction])[];

/** An index that some query wants, before those that another one makes needless are left out. */
interface CandidateIndex extends Index {
  readonly name: string;
}

/** The indexes that the declared queries and relations call for, and the unique keys. */
export function derivedIndexes(): Readonly<Record<string, Index>> {
  const candidates = [...uniqueKeys(), ...queryNames.flatMap((name) => [...indexesForQuery(queryDefinition(name))])];
  const kept: CandidateIndex[] = [];
  for (const index of candidates.sort(
    (a, b) => Number(b.unique ?? false) - Number(a.unique ?? false) || b.columns.length - a.columns.length,
  )) {
    if (index.unique || !kept.some((other) => makesRedundant(other, index))) kept.push(index);
  }
  return Object.fromEntries(kept.sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ name, ...index }) => [name, index]));
}

function* uniqueKeys(): Generator<CandidateIndex> {
  for (const entity of entityNames) {
    for (const columns of Object.values(entities[entity].unique)) yield candidateIndex(tableOf(entity), columns, true);
  }
}

function* indexesForQuery(query: Definition & { readonly entity: EntityName }): Generator<CandidateIndex> {
  const scope = Object.values(query.scope).map(columnOf);
  for (const equalityColumns of [[], ...(query.indexed ?? []).map((name) => [columnOf(query.filters?.[name])])]) {
    const columns = [...scope, ...equalityColumns];
    if (!isUnique(query.entity, columns)) {
      yield candidateIndex(tableOf(query.entity), [...columns, ...orderColumns(query.order, columns)]);
    }
  }
  for (const filter of Object.values(query.filters ?? {})) {
    if (!('entries' in filter)) continue;
    const order = query.order.map(
      ([column, direction]) => [column === 'id' ? 'record_id' : column, direction] as const,
    );
    yield candidateIndex(entriesTableOf(query.entity, filter.entries), [
      'digest',
      ...scope,
      ...orderColumns(order, scope),
    ]);
  }
  for (const { from, by, order } of Object.values(query.many ?? {})) {
    yield candidateIndex(tableOf(from), [by, ...orderColumns(order, [by])]);
  }
}

/**
 * Whether these columns hold a unique key: then there is one record at most for each value, nothing to order, and the index
 * of the key leads to it.
 */
function isUnique(entity: EntityName, columns: readonly string[]): boolean {
  const { unique, columns: kinds } = entities[entity];
  return Object.values(unique).some((key) =>
    key.every(
      (column) => columns.includes(column) && !(kinds as Record<string, { nullable: boolean }>)[column]?.nullable,
    ),
  );
}

/** The columns of an order below those already fixed. An index is read in both directions, so the first one ascends. */
function orderColumns(order: Order, fixed: readonly string[]): string[] {
  const rest = order.filter(([column]) => !fixed.includes(column));
  const first = rest[0]?.[1];
  return rest.map(([column, direction]) => (direction === first ? column : `${column} desc`));
}

/** Whether `other` begins with all columns of `index`, in their order. */
const makesRedundant = (other: Index, index: Index): boolean =>
  other.on === index.on && index.columns.every((column, position) => other.columns[position] === column);

function columnOf(filter: Filter | undefined): string {
  if (filter !== undefined && 'eq' in filter) return filter.eq;
  if (filter !== undefined && 'anyOf' in filter) return filter.anyOf;
  throw new TypeError('Scopes and indexed filters must be of the form eq or anyOf');
}

function candidateIndex(on: string, columns: readonly string[], unique = false): CandidateIndex {
  const name = [on, ...columns].join('_').replaceAll(' ', '_');
  return { name, on, columns, ...(unique && { unique }) };
}
