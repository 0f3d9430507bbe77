import { deepStrictEqual, ok } from 'node:assert';
import fc from 'fast-check';
import { declared, type EntityName, queryNames } from '../../core/model/index.js';
import type { Batch, Storage } from '../../core/ports/index.js';
import { argumentsOf } from '../arbitraries/arguments.js';
import { holds, sampled } from '../arbitraries/holds.js';
import { idOf } from '../arbitraries/ids.js';
import { type AnyRow, rowOf } from '../arbitraries/rows.js';
import { batchOf, put } from './batch.js';
import { type StorageCase, type StorageHarness, storageCase } from './case.js';
import { counted, countOf } from './counting.js';
import { byId, sameRows } from './equality.js';
import { Model } from './model.js';
import { expectedCounts, expectedFound, expectedRows } from './reference.js';

const searched = [...new Set(queryNames.map((name) => declared(name).entity))];

/** Random batches, wrong ones among them, side by side with a model: after each of them both hold the same. */
export const changingCases: readonly StorageCase[] = searched.map((entity) =>
  storageCase(`commit.batches.${entity}`, ['storage: commit', 'storage: Batch'], (harness) => drive(harness, entity)),
);

/** One change of a record; whether it fits is seen when it meets the model. */
interface Move {
  readonly kind: 'insert' | 'replace' | 'touch' | 'remove' | 'expect';
  readonly row: AnyRow;
  /** How far the version is from the right one. */
  readonly off: number;
}

const records = 8;

const movesOf = (entity: EntityName): fc.Arbitrary<Move[]> => {
  const move = fc.record({
    kind: fc.constantFrom<Move['kind'][]>('insert', 'insert', 'replace', 'replace', 'touch', 'remove', 'expect'),
    row: fc.integer({ min: 1, max: records }).chain((number) => rowOf(entity, number)),
    off: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 0, 0, 1, -1),
  });
  return fc.uniqueArray(move, { minLength: 1, maxLength: 4, selector: ({ row }) => row.id });
};

async function drive(harness: StorageHarness, entity: EntityName): Promise<void> {
  await holds(fc.array(movesOf(entity), { minLength: 4, maxLength: 12 }), 4, async (list) => {
    const storage = await harness.storage();
    const model = new Model();
    for (const moves of list) {
      const batch = batchFrom(moves, entity, model);
      const reasons = model.commit(batch);
      const outcome = await storage.commit(batch);
      if (reasons.length === 0) deepStrictEqual(outcome, { done: true });
      else
        ok(
          reasons.some((reason) => JSON.stringify(reason) === JSON.stringify(outcome)),
          difference(outcome, reasons),
        );
      await sameContents(storage, model, entity);
    }
  });
}

/** Every query of the entity finds, loads and counts what the model has. */
async function sameContents(storage: Storage, model: Model, entity: EntityName): Promise<void> {
  const rows = model.rows(entity);
  const ids = Array.from({ length: records }, (_, place) => idOf(place + 1));
  for (const name of queryNames.filter((query) => declared(query).entity === entity)) {
    const plain = (await storage.load(name, ids)).map((row) => only(row, rows[0] ?? {}));
    sameRows(byId(plain), byId(rows));
    if (rows.length === 0) continue;
    const filters = Object.keys(declared(name).filters ?? {});
    for (const chosen of [[], ...filters.map((filter) => [filter])]) {
      const args = sampled(argumentsOf(declared(name), chosen, rows));
      const window = { offset: 0, limit: records, countUpTo: records };
      const expected = expectedFound(expectedRows(name, args, rows), window);
      deepStrictEqual(await storage.find(name, args as never, window), expected);
    }
    for (const { by } of counted.filter((one) => one.name === name)) {
      const args = sampled(argumentsOf(declared(name), [], rows));
      deepStrictEqual(await countOf(storage, name, args, by), expectedCounts(expectedRows(name, args, rows), by));
    }
  }
}

/** Most moves are made to fit the state they meet, or no batch of several would ever go through. */
function batchFrom(moves: readonly Move[], entity: EntityName, model: Model): Batch {
  const known = new Map(model.rows(entity).map((row) => [row.id, row]));
  const parts: { [K in 'insert' | 'replace' | 'touch' | 'remove' | 'expect']: unknown[] } = {
    insert: [],
    replace: [],
    touch: [],
    remove: [],
    expect: [],
  };
  for (const { kind, row, off } of moves) {
    const before = known.get(row.id);
    const version = (before?.version ?? 1) + off;
    const fitting = kind === 'insert' && before !== undefined && off === 0 ? 'replace' : kind;
    if (before === undefined && fitting !== 'insert' && off === 0) parts.insert.push(put(entity, row));
    else if (fitting === 'insert') parts.insert.push(put(entity, row));
    else if (fitting === 'replace') parts.replace.push(put(entity, { ...row, version: version + 1 }));
    else if (fitting === 'touch') parts.touch.push({ entity, id: row.id });
    else parts[fitting].push({ entity, id: row.id, version });
  }
  return batchOf(parts as Partial<Batch>);
}

const only = (row: object, like: object) =>
  Object.fromEntries(Object.entries(row).filter(([column]) => column in like)) as unknown as AnyRow;

const difference = (outcome: unknown, reasons: unknown) =>
  `answered ${JSON.stringify(outcome)}, where only these are right: ${JSON.stringify(reasons)}`;
