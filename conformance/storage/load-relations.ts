import { type EntityName, type QueryName, queryDefinition, queryNames } from '../../core/model/index.js';
import type { Insert } from '../../core/ports/index.js';
import { idOf } from '../arbitraries/ids.js';
import { sampleOne } from '../arbitraries/property.js';
import { type AnyRow, rowsOf } from '../arbitraries/rows.js';
import { referencedIdCount } from '../arbitraries/values.js';
import { entityRow, expectCommit } from './batch.js';
import { type StorageCase, type StorageHarness, storageCase } from './case.js';
import { compareRows } from './reference-query.js';
import { expectSameRows, sortById } from './row-assertions.js';

/** Loads every declared query with relations that are present, null, dangling or shared, and checks their order. */
export const loadCases: readonly StorageCase[] = queryNames.map((name) =>
  storageCase(`load.${name}`, ['storage: load', 'model: relations'], (harness) => compareWithReference(harness, name)),
);

async function compareWithReference(harness: StorageHarness, name: QueryName): Promise<void> {
  const storage = await harness.storage();
  const tables = generateTables(name);
  const insert: Insert[] = [...tables].flatMap(([entity, rows]) => rows.map((row) => entityRow(entity, row)));
  await expectCommit(storage, { insert });

  const rows = tables.get(queryDefinition(name).entity) ?? [];
  const ids = rows.map(({ id }) => id);
  const expected = sortById(rows.map((row) => withRelations(name, row, tables)));
  expectSameRows(sortById(await storage.load(name, ids)), expected);
  expectSameRows(
    sortById(await storage.load(name, [idOf(999), ...ids.slice(0, 2), ...ids.slice(0, 1)])),
    sortById(expected.filter(({ id }) => ids.slice(0, 2).includes(id))),
  );
  expectSameRows(await storage.load(name, []), []);
  expectSameRows(await storage.load(name, [idOf(999)]), []);
}

/** Rows of the entity of a query and of all related entities. Some references dangle: there are more ids than records. */
function generateTables(name: QueryName): ReadonlyMap<EntityName, readonly AnyRow[]> {
  const query = queryDefinition(name);
  const tables = new Map<EntityName, AnyRow[]>([[query.entity, sampleOne(rowsOf(query.entity, 12))]]);
  for (const { to } of Object.values(query.one ?? {})) {
    if (!tables.has(to)) tables.set(to, sampleOne(rowsOf(to, referencedIdCount - 2)));
  }
  for (const { from } of Object.values(query.many ?? {})) {
    if (!tables.has(from)) tables.set(from, sampleOne(rowsOf(from, 25)));
  }
  return tables;
}

function withRelations(name: QueryName, row: AnyRow, tables: ReadonlyMap<EntityName, readonly AnyRow[]>): AnyRow {
  const { one, many } = queryDefinition(name);
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
