import { declared, type EntityName, type QueryName, queryNames } from '../../core/model/index.js';
import type { Insert } from '../../core/ports/index.js';
import { sampled } from '../arbitraries/holds.js';
import { idOf } from '../arbitraries/ids.js';
import { type AnyRow, rowsOf } from '../arbitraries/rows.js';
import { referredIds } from '../arbitraries/values.js';
import { carriedOut, put } from './batch.js';
import { type StorageCase, type StorageHarness, storageCase } from './case.js';
import { byId, sameRows } from './equality.js';
import { compareRows } from './reference.js';

/** Every declared query with its relations: present, absent, dangling, shared, and in their order. */
export const relatingCases: readonly StorageCase[] = queryNames.map((name) =>
  storageCase(`load.${name}`, ['storage: load', 'model: relations'], (harness) => compare(harness, name)),
);

async function compare(harness: StorageHarness, name: QueryName): Promise<void> {
  const storage = await harness.storage();
  const tables = generated(name);
  const insert: Insert[] = [...tables].flatMap(([entity, rows]) => rows.map((row) => put(entity, row)));
  await carriedOut(storage, { insert });

  const rows = tables.get(declared(name).entity) ?? [];
  const ids = rows.map(({ id }) => id);
  const expected = byId(rows.map((row) => withRelations(name, row, tables)));
  sameRows(byId(await storage.load(name, ids)), expected);
  sameRows(
    byId(await storage.load(name, [idOf(999), ...ids.slice(0, 2), ...ids.slice(0, 1)])),
    byId(expected.filter(({ id }) => ids.slice(0, 2).includes(id))),
  );
  sameRows(await storage.load(name, []), []);
  sameRows(await storage.load(name, [idOf(999)]), []);
}

/** Rows of the query's entity and of all related ones. Fewer related records than ids that are referred to: some dangle. */
function generated(name: QueryName): ReadonlyMap<EntityName, readonly AnyRow[]> {
  const query = declared(name);
  const tables = new Map<EntityName, AnyRow[]>([[query.entity, sampled(rowsOf(query.entity, 12))]]);
  for (const { to } of Object.values(query.one ?? {})) {
    if (!tables.has(to)) tables.set(to, sampled(rowsOf(to, referredIds - 2)));
  }
  for (const { from } of Object.values(query.many ?? {})) {
    if (!tables.has(from)) tables.set(from, sampled(rowsOf(from, 25)));
  }
  return tables;
}

function withRelations(name: QueryName, row: AnyRow, tables: ReadonlyMap<EntityName, readonly AnyRow[]>): AnyRow {
  const { one, many } = declared(name);
  const related: Record<string, unknown> = { ...row };
  for (const [relation, { to, by }] of Object.entries(one ?? {})) {
    related[relation] = tables.get(to)?.find(({ id }) => id === row[by]) ?? null;
  }
  for (const [relation, { from, by, on, order }] of Object.entries(many ?? {})) {
    related[relation] = (tables.get(from) ?? [])
      .filter((other) => other[by] === row[on ?? 'id'])
      .sort((a, b) => compareRows(a, b, order));
  }
  return related as AnyRow;
}
