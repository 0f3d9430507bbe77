import { declared, type EntityName, type Row } from '../../../core/model/index.js';
import type { Batch, Committed, Insert, Reference } from '../../../core/ports/index.js';
import { shapeOf } from '../compile/shape.js';
import type { Connections } from './connections.js';
import { raisedBy, violatedUnique } from './errors.js';
import { addEvents, Records } from './records.js';
import type { Statement } from './session.js';
import { calling, type Statements } from './statements.js';
import { tallied } from './tally.js';
import type { UniqueKeys } from './unique-keys.js';

/**
 * Carries out a batch in one trip: the transaction is sent with its end, and whatever does not hold raises an error in it.
 *
 * First come locks on all records that must be there, entity by entity and id by id, so that two batches cannot wait for
 * each other. What must match nothing is asked when they are held. Under READ COMMITTED each statement sees what was
 * committed before it, so whoever waited for a lock sees what the other one did.
 */
export async function commit(
  connections: Connections,
  statements: Statements,
  keys: UniqueKeys,
  prefix: string,
  batch: Batch,
): Promise<Committed> {
  const plan = new Plan(statements, prefix, batch);
  if (plan.empty) return { done: true };
  for (let attempt = 1; ; attempt++) {
    try {
      await connections.writing((slot) => (attempt === 1 ? plan.inPlace(slot) : plan.takenOutFirst(slot)));
      return { done: true };
    } catch (error) {
      const raised = raisedBy(error);
      const refused = raised === undefined ? undefined : plan.refusals[raised];
      if (refused !== undefined) return refused;
      const violated = violatedUnique(error);
      if (violated === undefined) throw error;
      const duplicate = keys.named(violated);
      // In place, a key may be taken by a record that is about to give it up; only the second way is sure.
      if (duplicate !== undefined && (attempt > 1 || batch.replace.length === 0)) return { duplicate };
      // An id that came to be in the meantime is seen the next time.
      if (attempt > 5) throw error;
    }
  }
}

class Plan {
  readonly refusals: Committed[] = [];
  readonly #batch: Batch;
  readonly #prefix: string;
  readonly #checks: readonly Statement[];

  constructor(statements: Statements, prefix: string, batch: Batch) {
    this.#batch = batch;
    this.#prefix = prefix;
    this.#checks = [...this.#holds(), ...this.#nones(statements)];
  }

  get empty(): boolean {
    const { insert, events } = this.#batch;
    return this.#checks.length === 0 && insert.length === 0 && events.length === 0;
  }

  /** The cheap way, which may violate a unique key where the other one does not. */
  inPlace(slot: number): Statement[] {
    const { remove, replace, touch, insert, events } = this.#batch;
    const { first, last } = tallied(this.#batch, this.#prefix, slot);
    return [
      ...this.#checks,
      ...first,
      ...this.#each(remove, (records, removed) => records.remove(removed.map(({ id }) => id))),
      ...this.#each(replace, (records, replaced) => records.replace(replaced.map(({ row }) => row))),
      ...this.#each(touch, (records, touched) => [records.touch(touched.map(({ id }) => id))]),
      ...this.#each(insert, (records, inserted) => records.insert(inserted.map(({ row }) => row))),
      ...addEvents(events, this.#prefix),
      ...last,
    ];
  }

  /** Two records of a batch may exchange their keys: everything is taken out before anything is put back. */
  takenOutFirst(slot: number): Statement[] {
    const { remove, replace, touch, insert, events } = this.#batch;
    const { first, last } = tallied(this.#batch, this.#prefix, slot);
    const leaving = [...remove, ...replace.map(referenceOf)];
    return [
      ...this.#checks,
      ...this.#each(insert, (records, inserted) => [
        records.absent(inserted.map(({ entity, row: { id } }) => ({ id, place: this.#refusal({ entity, id }) }))),
      ]),
      ...first,
      ...this.#each(leaving, (records, removed) => records.remove(removed.map(({ id }) => id))),
      ...this.#each(touch, (records, touched) => [records.touch(touched.map(({ id }) => id))]),
      ...this.#each([...replace, ...insert], (records, put) => records.insert(put.map(({ row }) => row))),
      ...addEvents(events, this.#prefix),
      ...last,
    ];
  }

  /** Locks in the strongest mode that any record of the entity needs: one statement keeps their order. */
  #holds(): Statement[] {
    const { expect, remove, replace, touch } = this.#batch;
    const changed = [
      ...remove.map((removed) => ({ ...removed, weak: false })),
      ...replace.map(({ entity, row: { id, version } }) => ({ entity, id, version: version - 1, weak: false })),
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
    make: (records: Records, ofEntity: readonly T[]) => Statement[],
  ): Statement[] {
    const entities = [...new Set(list.map(({ entity }) => entity))].sort();
    return entities.flatMap((entity) => {
      const ofEntity = list.filter((one) => one.entity === entity);
      return make(new Records(entity, this.#prefix), ofEntity);
    });
  }
}

const referenceOf = ({ entity, row }: Insert): Reference => ({ entity, id: (row as Row<EntityName>).id });
