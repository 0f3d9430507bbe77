import { type EntityName, queryDefinition } from '../../../core/model/index.js';
import type { Batch, Committed, ExpectedVersion, Insert, Reference, Replace } from '../../../core/ports/index.js';
import { shapeOf } from '../compile/query-shape.js';
import { counterUpdate } from './counter-update.js';
import { insertEventsFragment } from './outbox.js';
import { RecordFragments } from './record-fragments.js';
import type { Statement } from './session.js';
import type { SqlCache, SqlFragment } from './sql-fragments.js';
import { bindStatement, type QueryStatements } from './statements.js';

/**
 * A batch as a transaction of many statements, which are sent together: whatever does not hold raises an error in it.
 *
 * First come locks on all records that must be there, entity by entity and id by id, so that two batches cannot wait for
 * each other. What must match nothing is asked when they are held. Under READ COMMITTED each statement sees what was
 * committed before it, so whoever waited for a lock sees what the other one did.
 */
export class MultiStatementCommit {
  /** What it means when the number of its place is raised. */
  readonly conflicts: Committed[] = [];
  readonly #batch: Batch;
  readonly #prefix: string;
  readonly #sqlCache: SqlCache;
  readonly #checks: readonly Statement[];

  constructor(batch: Batch, prefix: string, sqlCache: SqlCache, statements: QueryStatements) {
    this.#batch = batch;
    this.#prefix = prefix;
    this.#sqlCache = sqlCache;
    this.#checks = [...this.#lockStatements(), ...this.#noneStatements(statements)];
  }

  /** The cheap way, which may violate a unique key where the other one does not. */
  updateInPlace(slot: number): Statement[] {
    const { remove, replace, touch, insert } = this.#batch;
    return [
      ...this.#checks,
      ...this.#withEventsAndCounters(slot, [
        ...this.#forEachEntity(remove, (records, removed) => [
          ...records.removeEntries(removed),
          records.remove(removed),
        ]),
        ...this.#forEachEntity(replace, (records, replaced) => [
          ...records.replace(replaced),
          ...records.replaceEntries(replaced),
        ]),
        ...this.#forEachEntity(touch, (records, touched) => [records.touch(touched)]),
        ...this.#forEachEntity(insert, insertFragments),
      ]),
    ];
  }

  /** Two records of a batch may exchange their keys: everything is taken out before anything is put back. */
  deleteThenInsert(slot: number): Statement[] {
    const { remove, replace, touch, insert } = this.#batch;
    return [
      ...this.#checks,
      ...this.#forEachEntity(insert, (records, inserts) => [
        records.requireAbsent(
          inserts.map(({ entity, row: { id } }) => ({ id, conflictIndex: this.#addConflict({ entity, id }) })),
        ),
      ]),
      ...this.#withEventsAndCounters(slot, [
        ...this.#forEachEntity([...remove, ...replace.map(expectedVersionOf)], (records, deletes) => [
          ...records.removeEntries(deletes),
          records.remove(deletes),
        ]),
        ...this.#forEachEntity(touch, (records, touched) => [records.touch(touched)]),
        ...this.#forEachEntity([...replace, ...insert], insertFragments),
      ]),
    ];
  }

  /** The changes, with the events and the tallies where they belong: as late as can be, so that others wait the least. */
  #withEventsAndCounters(slot: number, changes: readonly Statement[]): Statement[] {
    const { events } = this.#batch;
    const counters = counterUpdate(this.#batch, this.#prefix, slot);
    const counterStatements = counters === undefined ? [] : [this.#sqlCache.statement(counters.fragment)];
    return [
      ...(counters?.readsRecords ? counterStatements : []),
      ...changes,
      ...(events.length > 0 ? [this.#sqlCache.statement(insertEventsFragment(events, this.#prefix))] : []),
      ...(counters?.readsRecords ? [] : counterStatements),
    ];
  }

  /** Locks in the strongest mode that any record of the entity needs: one statement keeps their order. */
  #lockStatements(): Statement[] {
    const { expect, remove, replace, touch } = this.#batch;
    const changed = [
      ...remove.map((removed) => ({ ...removed, shared: false })),
      ...replace.map((replaced) => ({ ...expectedVersionOf(replaced), shared: false })),
      ...touch.map(({ entity, id }) => ({ entity, id, version: null, shared: false })),
    ];
    const expected = expect.flatMap((one) => ('none' in one ? [] : [{ ...one, shared: true }]));
    return this.#forEachEntity([...expected, ...changed], (records, expectedRecords) => {
      const locks = expectedRecords.map(({ entity, id, version }) => ({
        id,
        version,
        conflictIndex: this.#addConflict({ entity, id }),
      }));
      return [records.lock(locks, expectedRecords.every(({ shared }) => shared) ? 'share' : 'no key update')];
    });
  }

  #noneStatements(statements: QueryStatements): Statement[] {
    return this.#batch.expect.flatMap((expectation) => {
      if (!('none' in expectation)) return [];
      const { none, args } = expectation;
      const shape = shapeOf(queryDefinition(none), args);
      if (shape.empty) return [];
      const index = this.conflicts.push({ conflict: { none } }) - 1;
      return [bindStatement(statements.none(none, shape), { args, numbers: { place: index } })];
    });
  }

  #addConflict({ entity, id }: Reference): number {
    return this.conflicts.push({ conflict: { entity, id } }) - 1;
  }

  /** Statements for what a list holds of each entity, the entities in the order of their names. */
  #forEachEntity<T extends { readonly entity: EntityName }>(
    list: readonly T[],
    make: (records: RecordFragments, ofEntity: readonly T[]) => readonly SqlFragment[],
  ): Statement[] {
    const entities = [...new Set(list.map(({ entity }) => entity))].sort();
    return entities.flatMap((entity) => {
      const ofEntity = list.filter((one) => one.entity === entity);
      return make(new RecordFragments(entity, this.#prefix), ofEntity).map((fragment) =>
        this.#sqlCache.statement(fragment),
      );
    });
  }
}

/** The record that a replacement takes the place of. */
export const expectedVersionOf = ({ entity, row: { id, version } }: Replace): ExpectedVersion => ({
  entity,
  id,
  version: version - 1,
});

function insertFragments(records: RecordFragments, inserts: readonly Insert[]): SqlFragment[] {
  const rows = inserts.map(({ row }) => row);
  return [...records.insert(rows), ...records.addEntries(rows)];
}
