import {
  type Column,
  type Definition,
  type EntityName,
  entities,
  ownerOf,
  queryDefinition,
  queryNames,
} from '../../../core/model/index.js';
import { tableOf } from '../identifiers.js';
import type { Counter } from './schema.js';

/** What a record adds to a counter: the value under which it is counted, and the owner. */
export interface CounterKey {
  readonly counter: string;
  readonly owner: string;
  readonly value: string;
}

/** The counters of an entity by their names. */
export const countersOf = (entity: EntityName): ReadonlyMap<string, Counter> =>
  countersByEntity.get(entity) ?? noCounters;

/** The name of the counter that answers a query by the values, days or months of a column. */
export function counterName(
  query: Definition & { readonly entity: EntityName },
  column: string,
  bucket: Counter['bucket'],
): string {
  return joinCounterName(tableOf(query.entity), columnOf(query, ownerOf(query, column)), column, bucket);
}

/** The values under which a record is counted, for each counter of its entity. */
export function* counterKeysOf(entity: EntityName, row: Readonly<Record<string, unknown>>): Generator<CounterKey> {
  for (const [counter, { owner, column, bucket }] of countersOf(entity)) {
    const value = String(row[column]);
    yield {
      counter,
      owner: String(row[owner]),
      value: bucket === 'value' ? value : value.slice(0, bucketLengths[bucket]),
    };
  }
}

/** How much of a time, as rows spell it, names its day and its month. */
export const bucketLengths = { day: 10, month: 7 } as const;

const countersByEntity = deriveCounters();
const noCounters: ReadonlyMap<string, Counter> = new Map();

function deriveCounters(): ReadonlyMap<EntityName, ReadonlyMap<string, Counter>> {
  const found = new Map<EntityName, Map<string, Counter>>();
  for (const query of queryNames.map(queryDefinition)) {
    for (const counter of query.counters ?? []) {
      const column = 'by' in counter ? counter.by : counter.byDay;
      const owner = columnOf(query, ownerOf(query, column));
      assertCountable(query, owner, column, 'by' in counter);
      const ofEntity = found.get(query.entity) ?? new Map<string, Counter>();
      found.set(query.entity, ofEntity);
      const on = tableOf(query.entity);
      for (const bucket of 'by' in counter ? (['value'] as const) : (['day', 'month'] as const)) {
        ofEntity.set(joinCounterName(on, owner, column, bucket), { on, owner, column, bucket });
      }
    }
  }
  return found;
}

function joinCounterName(on: string, owner: string, column: string, bucket: Counter['bucket']): string {
  return [on, owner, column, ...(bucket === 'value' ? [] : [bucket])].join('_');
}

function columnOf({ scope }: Definition, name: string): string {
  return Object.values(scope[name] ?? {})[0] as string;
}

function assertCountable(
  query: Definition & { readonly entity: EntityName },
  owner: string,
  column: string,
  by: boolean,
): void {
  const columns: Readonly<Record<string, Column>> = entities[query.entity].columns;
  const fits = (name: string, kind: Column['kind']) => columns[name]?.kind === kind && !columns[name]?.nullable;
  if (!fits(owner, 'id') || !fits(column, by ? 'text' : 'time') || !(by || query.order[0]?.[0] === column)) {
    throw new TypeError(`${query.entity} cannot be counted by ${column} for each ${owner}`);
  }
}
