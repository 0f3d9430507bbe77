import {
  type Column,
  type Definition,
  declared,
  type EntityName,
  entities,
  ownerOf,
  queryNames,
} from '../../../core/model/index.js';
import { tableOf } from '../names.js';
import type { Tally } from './schema.js';

/** What a record adds to a tally: the value under which it is counted, for whom. */
export interface Counted {
  readonly tally: string;
  readonly owner: string;
  readonly value: string;
}

/** The tallies of an entity by their names. */
export const talliesOf = (entity: EntityName): ReadonlyMap<string, Tally> => derived.get(entity) ?? none;

/** The name of the tally that answers a query by the values, days or months of a column. */
export function tallyNamed(
  query: Definition & { readonly entity: EntityName },
  column: string,
  per: Tally['per'],
): string {
  return nameOf(tableOf(query.entity), columnOf(query, ownerOf(query, column)), column, per);
}

/** Under what a record is counted, in each tally of its entity. */
export function* countedOf(entity: EntityName, row: Readonly<Record<string, unknown>>): Generator<Counted> {
  for (const [tally, { owner, column, per }] of talliesOf(entity)) {
    const value = String(row[column]);
    yield { tally, owner: String(row[owner]), value: per === 'value' ? value : value.slice(0, lengths[per]) };
  }
}

/** How much of a time, as rows spell it, names its day and its month. */
export const lengths = { day: 10, month: 7 } as const;

const derived = derive();
const none: ReadonlyMap<string, Tally> = new Map();

function derive(): ReadonlyMap<EntityName, ReadonlyMap<string, Tally>> {
  const found = new Map<EntityName, Map<string, Tally>>();
  for (const query of queryNames.map(declared)) {
    for (const tally of query.tallied ?? []) {
      const column = 'by' in tally ? tally.by : tally.byDay;
      const owner = columnOf(query, ownerOf(query, column));
      checked(query, owner, column, 'by' in tally);
      const ofEntity = found.get(query.entity) ?? new Map<string, Tally>();
      found.set(query.entity, ofEntity);
      const on = tableOf(query.entity);
      for (const per of 'by' in tally ? (['value'] as const) : (['day', 'month'] as const)) {
        ofEntity.set(nameOf(on, owner, column, per), { on, owner, column, per });
      }
    }
  }
  return found;
}

function nameOf(on: string, owner: string, column: string, per: Tally['per']): string {
  return [on, owner, column, ...(per === 'value' ? [] : [per])].join('_');
}

function columnOf({ scope }: Definition, name: string): string {
  return Object.values(scope[name] ?? {})[0] as string;
}

function checked(
  query: Definition & { readonly entity: EntityName },
  owner: string,
  column: string,
  by: boolean,
): void {
  const columns: Readonly<Record<string, Column>> = entities[query.entity].columns;
  const fits = (name: string, kind: Column['kind']) => columns[name]?.kind === kind && !columns[name]?.nullable;
  if (!fits(owner, 'id') || !fits(column, by ? 'text' : 'time') || !(by || query.order[0]?.[0] === column)) {
    throw new TypeError(`${query.entity} cannot be tallied by ${column} for each ${owner}`);
  }
}
