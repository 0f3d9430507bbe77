import { deepStrictEqual, ok } from 'node:assert';
import fc from 'fast-check';
import { type EntityName, queryDefinition, queryNames } from '../../core/model/index.js';
import type { Batch, Storage } from '../../core/ports/index.js';
import { argumentsOf } from '../arbitraries/arguments.js';
import { idOf } from '../arbitraries/ids.js';
import { assertProperty, sampleOne } from '../arbitraries/property.js';
import { type AnyRow, rowOf } from '../arbitraries/rows.js';
import { batchOf, entityRow } from './batch.js';
import { type StorageCase, type StorageHarness, storageCase } from './case.js';
import { countedQueries, countOf } from './count.js';
import { expectedCounts, expectedFound, expectedRows } from './reference-query.js';
import { expectSameRows, sortById } from './row-assertions.js';
import { StorageModel } from './storage-model.js';

const queriedEntities = [...new Set(queryNames.map((name) => queryDefinition(name).entity))];

/** Commits random batches, some of them invalid, to the storage and a model, and compares both after each batch. */
export const randomBatchCases: readonly StorageCase[] = queriedEntities.map((entity) =>
  storageCase(`commit.batches.${entity}`, ['storage: commit', 'storage: Batch'], (harness) =>
    compareWithModel(harness, entity),
  ),
);

/** One change of a record. The model decides whether it is valid. */
interface RandomChange {
  readonly kind: 'insert' | 'replace' | 'touch' | 'remove' | 'expect';
  readonly row: AnyRow;
  /** The difference from the correct version. */
  readonly versionOffset: number;
}

const recordCount = 8;

const randomChangesOf = (entity: EntityName): fc.Arbitrary<RandomChange[]> => {
  const change = fc.record({
    kind: fc.constantFrom<RandomChange['kind'][]>(
      'insert',
      'insert',
      'replace',
      'replace',
      'touch',
      'remove',
      'expect',
    ),
    row: fc.integer({ min: 1, max: recordCount }).chain((number) => rowOf(entity, number)),
    versionOffset: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 0, 0, 1, -1),
  });
  return fc.uniqueArray(change, { minLength: 1, maxLength: 4, selector: ({ row }) => row.id });
};

async function compareWithModel(harness: StorageHarness, entity: EntityName): Promise<void> {
  await assertProperty(fc.array(randomChangesOf(entity), { minLength: 4, maxLength: 12 }), 4, async (list) => {
    const storage = await harness.storage();
    const model = new StorageModel();
    for (const changes of list) {
      const batch = batchFrom(changes, entity, model);
      const reasons = model.commit(batch);
      const outcome = await storage.commit(batch);
      if (reasons.length === 0) deepStrictEqual(outcome, { done: true });
      else
        ok(
          reasons.some((reason) => JSON.stringify(reason) === JSON.stringify(outcome)),
          describeMismatch(outcome, reasons),
        );
      await expectSameContents(storage, model, entity);
    }
  });
}

/** Compares `find`, `load` and `count` of every query of the entity with the model. */
async function expectSameContents(storage: Storage, model: StorageModel, entity: EntityName): Promise<void> {
  const rows = model.rows(entity);
  const ids = Array.from({ length: recordCount }, (_, index) => idOf(index + 1));
  for (const name of queryNames.filter((query) => queryDefinition(query).entity === entity)) {
    const plain = (await storage.load(name, ids)).map((row) => pickColumns(row, rows[0] ?? {}));
    expectSameRows(sortById(plain), sortById(rows));
    if (rows.length === 0) continue;
    const filters = Object.keys(queryDefinition(name).filters ?? {});
    for (const chosen of [[], ...filters.map((filter) => [filter])]) {
      const args = sampleOne(argumentsOf(queryDefinition(name), chosen, rows));
      const window = { offset: 0, limit: recordCount, countUpTo: recordCount };
      const expected = expectedFound(expectedRows(name, args, rows), window);
      deepStrictEqual(await storage.find(name, args as never, window), expected);
    }
    for (const { by } of countedQueries.filter((one) => one.name === name)) {
      const args = sampleOne(argumentsOf(queryDefinition(name), [], rows));
      deepStrictEqual(await countOf(storage, name, args, by), expectedCounts(expectedRows(name, args, rows), by));
    }
  }
}

/** Makes most changes valid for the current rows. Otherwise nearly every batch with several changes would be refused. */
function batchFrom(changes: readonly RandomChange[], entity: EntityName, model: StorageModel): Batch {
  const known = new Map(model.rows(entity).map((row) => [row.id, row]));
  const parts: { [K in 'insert' | 'replace' | 'touch' | 'remove' | 'expect']: unknown[] } = {
    insert: [],
    replace: [],
    touch: [],
    remove: [],
    expect: [],
  };
  for (const { kind, row, versionOffset } of changes) {
    const before = known.get(row.id);
    const version = (before?.version ?? 1) + versionOffset;
    const fitting = kind === 'insert' && before !== undefined && versionOffset === 0 ? 'replace' : kind;
    if (before === undefined && fitting !== 'insert' && versionOffset === 0) parts.insert.push(entityRow(entity, row));
    else if (fitting === 'insert') parts.insert.push(entityRow(entity, row));
    else if (fitting === 'replace') parts.replace.push(entityRow(entity, { ...row, version: version + 1 }));
    else if (fitting === 'touch') parts.touch.push({ entity, id: row.id });
    else parts[fitting].push({ entity, id: row.id, version });
  }
  return batchOf(parts as Partial<Batch>);
}

const pickColumns = (row: object, like: object) =>
  Object.fromEntries(Object.entries(row).filter(([column]) => column in like)) as unknown as AnyRow;

const describeMismatch = (outcome: unknown, reasons: unknown) =>
  `the outcome is ${JSON.stringify(outcome)}, but only these are correct: ${JSON.stringify(reasons)}`;
