import { deepStrictEqual } from 'node:assert';
import {
  type Column,
  type EntityName,
  entities,
  entityNames,
  type Filter,
  type QueryName,
  queryDefinition,
  queryNames,
} from '../../core/model/index.js';
import { entityRow, expectCommit, row } from './batch.js';
import { type StorageCase, storageCase } from './case.js';

/** The filters of a query that databases usually index. */
const indexedFilters = (name: QueryName): [string, Filter][] => {
  const { scope, filters = {}, indexed = [] } = queryDefinition(name);
  return [...Object.entries(scope), ...Object.entries(filters).filter(([filter]) => indexed.includes(filter))];
};

const queriesOf = (entity: EntityName) => queryNames.filter((name) => queryDefinition(name).entity === entity);

/** The text columns of an entity that are used for look-ups. */
function indexedTextColumns(entity: EntityName): string[] {
  const columns: Readonly<Record<string, Column>> = entities[entity].columns;
  const named = [
    ...Object.values(entities[entity].unique).flat(),
    ...queriesOf(entity).flatMap((name) => indexedFilters(name).flatMap(([, filter]) => Object.values(filter).flat())),
  ];
  return [...new Set(named)].filter((column) => columns[column]?.kind === 'text');
}

/** 255 code points of four bytes each, in an order that cannot be compressed. */
function longestText(column: string): string {
  let state = column.length;
  return Array.from({ length: 255 }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return String.fromCodePoint(0x10000 + (state >>> 12));
  }).join('');
}

/** Stores and finds the longest texts of indexed columns, because databases limit the size of index entries, some in bytes. */
export const longestTextCases: readonly StorageCase[] = entityNames
  .filter((entity) => indexedTextColumns(entity).length > 0)
  .map((entity) =>
    storageCase(`commit.longest-texts.${entity}`, ['storage: commit', 'model: ColumnKind'], async (harness) => {
      const storage = await harness.storage();
      const texts = Object.fromEntries(indexedTextColumns(entity).map((column) => [column, longestText(column)]));
      const one = row(entity, 1, texts);
      await expectCommit(storage, { insert: [entityRow(entity, one)] });
      const values: Readonly<Record<string, unknown>> = one;
      for (const name of queriesOf(entity)) {
        const args = indexedFilters(name).map(([filter, how]) => {
          const value = values[Object.values(how)[0] as string];
          return [filter, 'anyOf' in how ? [value] : value];
        });
        const { stamps } = await storage.find(name, Object.fromEntries(args) as never, { offset: 0, limit: 2 });
        deepStrictEqual(stamps, [{ id: one.id, version: 1 }], name);
      }
    }),
  );
