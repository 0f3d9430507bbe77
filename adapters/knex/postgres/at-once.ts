import type { EntityName } from '../../../core/model/index.js';
import type { Batch, Committed, ExpectedVersion, Reference } from '../../../core/ports/index.js';
import { quoted } from '../names.js';
import { addEvents } from './events.js';
import { mostInPart, type Piece, type Texts } from './pieces.js';
import { Records } from './records.js';
import type { Statement } from './session.js';
import { replacedBy } from './step-by-step.js';
import { tallied } from './tally.js';
import { encoded } from './values.js';

/**
 * A batch as one statement, which is a transaction by itself: most batches are small, and begin, commit and a dozen
 * statements in between cost more than what they do.
 *
 * All parts of a statement see the database as it was when it began, and run in no order but that in which they need each
 * other. So each step waits for the number of records that the one before it has found: first come the records that are
 * there already, entity by entity and id by id, which locks them in the same order everywhere; then those that come to be;
 * last what follows from them. If somebody else changes a record between the beginning of the statement and the lock,
 * PostgreSQL looks at the record anew, and it is not at its version any more. What a step has not found is raised at the
 * end, which undoes the rest.
 */
export class AtOnce {
  /** What it means when the number of its place is raised. */
  readonly refusals: readonly Committed[];
  readonly #batch: Batch;
  readonly #prefix: string;
  readonly #texts: Texts;
  readonly #steps: readonly Step[];
  /** What is changed along with the records of the steps. */
  readonly #along: readonly Piece[];

  /**
   * Whether a batch can be carried out like this. No two parts of a statement may change the same row, so each table must
   * be the matter of one step; and what has to be looked for under a lock (an expectation `none`) would be looked for in
   * the time before it.
   */
  static suits({ expect, insert, replace, touch, remove }: Batch): boolean {
    if (expect.some((one) => 'none' in one)) return false;
    const lists = [expect as readonly ExpectedVersion[], insert, replace, touch, remove];
    const entities = lists.flatMap((list) => [...new Set(list.map(({ entity }) => entity))]);
    return new Set(entities).size === entities.length && lists.every(({ length }) => length <= mostInPart);
  }

  constructor(batch: Batch, prefix: string, texts: Texts) {
    this.#batch = batch;
    this.#prefix = prefix;
    this.#texts = texts;
    const changes = changesOf(batch, prefix);
    this.#steps = changes.map(({ step }) => step);
    this.#along = changes.flatMap(({ along }) => along);
    this.refusals = this.#steps.flatMap(({ checked }) =>
      checked.map(({ entity, id }) => ({ conflict: { entity, id } })),
    );
  }

  statement(slot: number): Statement {
    const { events } = this.#batch;
    const tally = tallied(this.#batch, this.#prefix, slot);
    const rest = [
      ...this.#along,
      ...(events.length > 0 ? [addEvents(events, this.#prefix)] : []),
      ...(tally === undefined ? [] : [tally.piece]),
    ];
    const pieces = [...this.#steps.map(({ piece }) => piece), ...rest];
    let key = 'at once';
    const ids: unknown[] = [];
    const steps: number[] = [];
    const values: unknown[] = [];
    for (const [step, { count, checked }] of this.#steps.entries()) {
      values.push(count);
      for (const { id } of checked) {
        ids.push(encoded(id, 'id'));
        steps.push(step);
      }
    }
    values.push(ids, steps);
    for (const piece of pieces) {
      key += `, ${piece.key}`;
      values.push(...piece.values);
    }
    return { text: this.#texts.get(key, () => written(this.#steps, rest)), values };
  }
}

/** Something that is done with records of one entity, and answers the ids of those that it was done with. */
interface Step {
  readonly piece: Piece;
  readonly count: number;
  /** The records, if they have to be there already. */
  readonly checked: readonly Reference[];
}

/** A step, and what is changed along with its records. */
interface Change {
  readonly step: Step;
  readonly along: readonly Piece[];
}

function changesOf({ expect, insert, replace, touch, remove }: Batch, prefix: string): Change[] {
  const expected = expect.flatMap((one) => ('none' in one ? [] : [one]));
  const there = [
    ...each(expected, prefix, (records, ofEntity) => ({
      step: { piece: records.unchanged(ofEntity), count: ofEntity.length, checked: ofEntity },
      along: [],
    })),
    ...each(remove, prefix, (records, ofEntity) => {
      const removed = [...ofEntity].sort((a, b) => (a.id < b.id ? -1 : 1));
      const piece = returning(records.remove(removed));
      return { step: { piece, count: removed.length, checked: removed }, along: records.removeEntries(removed) };
    }),
    ...each(replace, prefix, (records, ofEntity) => {
      const replaced = [...ofEntity].sort((a, b) => (a.row.id < b.row.id ? -1 : 1));
      const piece = returning(one(records.replace(replaced)));
      return {
        step: { piece, count: replaced.length, checked: replaced.map(replacedBy) },
        along: records.replaceEntries(replaced),
      };
    }),
    ...each(touch, prefix, (records, ofEntity) => ({
      step: { piece: returning(records.touch(ofEntity)), count: ofEntity.length, checked: ofEntity },
      along: [],
    })),
  ];
  const coming = each(insert, prefix, (records, ofEntity) => {
    const rows = ofEntity.map(({ row }) => row);
    const step = { piece: returning(one(records.insert(rows))), count: rows.length, checked: [] };
    return { step, along: records.addEntries(rows) };
  });
  return [...there.sort(byEntity), ...coming.sort(byEntity)].map(({ change }) => change);
}

/** A change for what a list holds of each entity. */
function each<T extends { readonly entity: EntityName }>(
  list: readonly T[],
  prefix: string,
  make: (records: Records, ofEntity: readonly T[]) => Change,
): { readonly entity: EntityName; readonly change: Change }[] {
  return [...new Set(list.map(({ entity }) => entity))].map((entity) => {
    const ofEntity = list.filter((one) => one.entity === entity);
    return { entity, change: make(new Records(entity, prefix), ofEntity) };
  });
}

const byEntity = (a: { readonly entity: EntityName }, b: { readonly entity: EntityName }) =>
  a.entity < b.entity ? -1 : 1;

/** A piece that answers the ids of what it has changed. */
const returning = ({ key, values, text }: Piece): Piece => ({
  key,
  values,
  text: (first, when) => `${text(first, when)} returning t."id"`,
});

/** What a list of so few records is done with is one piece. */
const one = (pieces: readonly Piece[]): Piece => pieces[0] as Piece;

/** Parameters: how many records each step has to find, the ids of all that have to be there and their steps, the pieces'. */
function written(steps: readonly Step[], rest: readonly Piece[]): string {
  const last = steps.length - 1;
  const found = (step: number, compared: '=' | '<>') =>
    `(select count(*) from "step${step}") ${compared} $${step + 1}::bigint`;
  let first = steps.length + 3;
  const part = (name: string, { text, values }: Piece, after: number): string => {
    const sql = `${quoted(name)} as materialized (${after < 0 ? text(first) : text(first, found(after, '='))})`;
    first += values.length;
    return sql;
  };
  const parts = [
    ...steps.map(({ piece }, step) => part(`step${step}`, piece, step - 1)),
    ...rest.map((piece, place) => part(`rest${place}`, piece, last)),
  ];
  if (last < 0) return `with ${parts.join(', ')} select from unnest($1::uuid[], $2::integer[])`;
  const there = steps.map((_, step) => `select ${step} as "step", "id" from "step${step}"`).join(' union all ');
  const wanted = `unnest($${last + 2}::uuid[], $${last + 3}::integer[]) with ordinality as w("id", "step", "place")`;
  const missing = `not exists (select 1 from (${there}) t where t."step" = w."step" and t."id" = w."id")`;
  return `with ${parts.join(', ')} select cast('millrace ' || (min(w."place") - 1)::text as integer) from ${wanted} where ${found(last, '<>')} and ${missing}`;
}
