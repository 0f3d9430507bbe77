import { declared, type EntityName } from '../../../core/model/index.js';
import type { Batch, Committed, ExpectedVersion, Insert, Reference, Replace } from '../../../core/ports/index.js';
import { shapeOf } from '../compile/shape.js';
import { addEvents } from './events.js';
import type { Piece, Texts } from './pieces.js';
import { Records } from './records.js';
import type { Statement } from './session.js';
import { calling, type Statements } from './statements.js';
import { tallied } from './tally.js';

/**
 * A batch as a transaction of many statements, which are sent together: whatever does not hold raises an error in it.
 *
 * First come locks on all records that must be there, entity by entity and id by id, so that two batches cannot wait for
 * each other. What must match nothing is asked when they are held. Under READ COMMITTED each statement sees what was
 * committed before it, so whoever waited for a lock sees what the other one did.
 */
export class StepByStep {
  /** What it means when the number of its place is raised. */
  readonly refusals: Committed[] = [];
  readonly #batch: Batch;
  readonly #prefix: string;
  readonly #texts: Texts;
  readonly #checks: readonly Statement[];

  constructor(batch: Batch, prefix: string, texts: Texts, statements: Statements) {
    this.#batch = batch;
    this.#prefix = prefix;
    this.#texts = texts;
    this.#checks = [...this.#holds(), ...this.#nones(statements)];
  }

  /** The cheap way, which may violate a unique key where the other one does not. */
  inPlace(slot: number): Statement[] {
    const { remove, replace, touch, insert } = this.#batch;
    return [
      ...this.#checks,
      ...this.#between(slot, [
        ...this.#each(remove, (records, removed) => [...records.removeEntries(removed), records.remove(removed)]),
        ...this.#each(replace, (records, replaced) => [
          ...records.replace(replaced),
          ...records.replaceEntries(replaced),
        ]),
        ...this.#each(touch, (records, touched) => [records.touch(touched)]),
        ...this.#each(insert, inserted),
      ]),
    ];
  }

  /** Two records of a batch may exchange their keys: everything is taken out before anything is put back. */
  takenOutFirst(slot: number): Statement[] {
    const { remove, replace, touch, insert } = this.#batch;
    return [
      ...this.#checks,
      ...this.#each(insert, (records, coming) => [
        records.absent(coming.map(({ entity, row: { id } }) => ({ id, place: this.#refusal({ entity, id }) }))),
      ]),
      ...this.#between(slot, [
        ...this.#each([...remove, ...replace.map(replacedBy)], (records, leaving) => [
          ...records.removeEntries(leaving),
          records.remove(leaving),
        ]),
        ...this.#each(touch, (records, touched) => [records.touch(touched)]),
        ...this.#each([...replace, ...insert], inserted),
      ]),
    ];
  }

  /** The changes, with the events and the tallies where they belong: as late as can be, so that others wait the least. */
  #between(slot: number, changes: readonly Statement[]): Statement[] {
    const { events } = this.#batch;
    const tally = tallied(this.#batch, this.#prefix, slot);
    const counting = tally === undefined ? [] : [this.#texts.statement(tally.piece)];
    return [
      ...(tally?.reads ? counting : []),
      ...changes,
      ...(events.length > 0 ? [this.#texts.statement(addEvents(events, this.#prefix))] : []),
      ...(tally?.reads ? [] : counting),
    ];
  }

  /** Locks in the strongest mode that any record of the entity needs: one statement keeps their order. */
  #holds(): Statement[] {
    const { expect, remove, replace, touch } = this.#batch;
    const changed = [
      ...remove.map((removed) => ({ ...removed, weak: false })),
      ...replace.map((replaced) => ({ ...replacedBy(replaced), weak: false })),
      ...touch.map(({ entity, id }) => ({ entity, id, version: null, weak: false })),
    ];
    const expected = expect.flatMap((one) => ('none' in one ? [] : [{ ...one, weak: true }]));
    return this.#each([...expected, ...changed], (records, wanted) => {
      const held = wanted.map(({ entity, id, version }) => ({ id, version, place: this.#refusal({ entity, id }) }));
      return [records.hold(held, wanted.every(({ weak }) => weak) ? 'share' : 'no key update')];
    });
  }

  #nones(statements: Statements): Statement[] {
    return this.#batch.expect.flatMap((expectation) => {
      if (!('none' in expectation)) return [];
      const { none, args } = expectation;
      const shape = shapeOf(declared(none), args);
      if (shape.empty) return [];
      const place = this.refusals.push({ conflict: { none } }) - 1;
      return [calling(statements.none(none, shape), { args, numbers: { place } })];
    });
  }

  #refusal({ entity, id }: Reference): number {
    return this.refusals.push({ conflict: { entity, id } }) - 1;
  }

  /** Statements for what a list holds of each entity, the entities in the order of their names. */
  #each<T extends { readonly entity: EntityName }>(
    list: readonly T[],
    make: (records: Records, ofEntity: readonly T[]) => readonly Piece[],
  ): Statement[] {
    const entities = [...new Set(list.map(({ entity }) => entity))].sort();
    return entities.flatMap((entity) => {
      const ofEntity = list.filter((one) => one.entity === entity);
      return make(new Records(entity, this.#prefix), ofEntity).map((piece) => this.#texts.statement(piece));
    });
  }
}

/** The record that a replacement takes the place of. */
export const replacedBy = ({ entity, row: { id, version } }: Replace): ExpectedVersion => ({
  entity,
  id,
  version: version - 1,
});

function inserted(records: Records, coming: readonly Insert[]): Piece[] {
  const rows = coming.map(({ row }) => row);
  return [...records.insert(rows), ...records.addEntries(rows)];
}
