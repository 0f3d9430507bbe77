import type { EntityName } from '../../../core/model/index.js';
import type { Batch, Committed, ExpectedVersion, Reference } from '../../../core/ports/index.js';
import { quoteIdentifier } from '../identifiers.js';
import { counterUpdate } from './counter-update.js';
import { expectedVersionOf } from './multi-statement-commit.js';
import { insertEventsFragment } from './outbox.js';
import { RecordFragments } from './record-fragments.js';
import type { Statement } from './session.js';
import { maxChunkLength, type SqlCache, type SqlFragment } from './sql-fragments.js';
import { encodeValue } from './values.js';

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
export class SingleStatementCommit {
  /** What it means when the number of its place is raised. */
  readonly conflicts: readonly Committed[];
  readonly #batch: Batch;
  readonly #prefix: string;
  readonly #sqlCache: SqlCache;
  readonly #steps: readonly CommitStep[];
  /** What is changed along with the records of the steps. */
  readonly #entriesFragments: readonly SqlFragment[];

  /**
   * Whether a batch can be carried out like this. No two parts of a statement may change the same row, so each table must
   * be the matter of one step; and what has to be looked for under a lock (an expectation `none`) would be looked for in
   * the time before it.
   */
  static supports({ expect, insert, replace, touch, remove }: Batch): boolean {
    if (expect.some((one) => 'none' in one)) return false;
    const lists = [expect as readonly ExpectedVersion[], insert, replace, touch, remove];
    const entities = lists.flatMap((list) => [...new Set(list.map(({ entity }) => entity))]);
    return new Set(entities).size === entities.length && lists.every(({ length }) => length <= maxChunkLength);
  }

  constructor(batch: Batch, prefix: string, sqlCache: SqlCache) {
    this.#batch = batch;
    this.#prefix = prefix;
    this.#sqlCache = sqlCache;
    const plan = planSteps(batch, prefix);
    this.#steps = plan.map(({ step }) => step);
    this.#entriesFragments = plan.flatMap(({ entriesFragments }) => entriesFragments);
    this.conflicts = this.#steps.flatMap(({ expectedRecords }) =>
      expectedRecords.map(({ entity, id }) => ({ conflict: { entity, id } })),
    );
  }

  statement(slot: number): Statement {
    const { events } = this.#batch;
    const counters = counterUpdate(this.#batch, this.#prefix, slot);
    const rest = [
      ...this.#entriesFragments,
      ...(events.length > 0 ? [insertEventsFragment(events, this.#prefix)] : []),
      ...(counters === undefined ? [] : [counters.fragment]),
    ];
    const fragments = [...this.#steps.map(({ fragment }) => fragment), ...rest];
    let key = 'at once';
    const ids: unknown[] = [];
    const steps: number[] = [];
    const values: unknown[] = [];
    for (const [step, { count, expectedRecords }] of this.#steps.entries()) {
      values.push(count);
      for (const { id } of expectedRecords) {
        ids.push(encodeValue(id, 'id'));
        steps.push(step);
      }
    }
    values.push(ids, steps);
    for (const fragment of fragments) {
      key += `, ${fragment.key}`;
      values.push(...fragment.values);
    }
    return { text: this.#sqlCache.get(key, () => buildSql(this.#steps, rest)), values };
  }
}

/** Something that is done with records of one entity, and answers the ids of those that it was done with. */
interface CommitStep {
  readonly fragment: SqlFragment;
  readonly count: number;
  /** The records, if they have to be there already. */
  readonly expectedRecords: readonly Reference[];
}

/** A step, and what is changed along with its records. */
interface StepWithEntries {
  readonly step: CommitStep;
  readonly entriesFragments: readonly SqlFragment[];
}

function planSteps({ expect, insert, replace, touch, remove }: Batch, prefix: string): StepWithEntries[] {
  const expected = expect.flatMap((one) => ('none' in one ? [] : [one]));
  const existing = [
    ...forEachEntity(expected, prefix, (records, ofEntity) => ({
      step: { fragment: records.lockUnchanged(ofEntity), count: ofEntity.length, expectedRecords: ofEntity },
      entriesFragments: [],
    })),
    ...forEachEntity(remove, prefix, (records, ofEntity) => {
      const removed = [...ofEntity].sort((a, b) => (a.id < b.id ? -1 : 1));
      const fragment = returningIds(records.remove(removed));
      return {
        step: { fragment, count: removed.length, expectedRecords: removed },
        entriesFragments: records.removeEntries(removed),
      };
    }),
    ...forEachEntity(replace, prefix, (records, ofEntity) => {
      const replaced = [...ofEntity].sort((a, b) => (a.row.id < b.row.id ? -1 : 1));
      const fragment = returningIds(onlyFragment(records.replace(replaced)));
      return {
        step: { fragment, count: replaced.length, expectedRecords: replaced.map(expectedVersionOf) },
        entriesFragments: records.replaceEntries(replaced),
      };
    }),
    ...forEachEntity(touch, prefix, (records, ofEntity) => ({
      step: { fragment: returningIds(records.touch(ofEntity)), count: ofEntity.length, expectedRecords: ofEntity },
      entriesFragments: [],
    })),
  ];
  const inserted = forEachEntity(insert, prefix, (records, ofEntity) => {
    const rows = ofEntity.map(({ row }) => row);
    const step = {
      fragment: returningIds(onlyFragment(records.insert(rows))),
      count: rows.length,
      expectedRecords: [],
    };
    return { step, entriesFragments: records.addEntries(rows) };
  });
  return [...existing.sort(byEntity), ...inserted.sort(byEntity)].map(({ change }) => change);
}

/** A change for what a list holds of each entity. */
function forEachEntity<T extends { readonly entity: EntityName }>(
  list: readonly T[],
  prefix: string,
  make: (records: RecordFragments, ofEntity: readonly T[]) => StepWithEntries,
): { readonly entity: EntityName; readonly change: StepWithEntries }[] {
  return [...new Set(list.map(({ entity }) => entity))].map((entity) => {
    const ofEntity = list.filter((one) => one.entity === entity);
    return { entity, change: make(new RecordFragments(entity, prefix), ofEntity) };
  });
}

const byEntity = (a: { readonly entity: EntityName }, b: { readonly entity: EntityName }) =>
  a.entity < b.entity ? -1 : 1;

/** A piece that answers the ids of what it has changed. */
const returningIds = ({ key, values, text }: SqlFragment): SqlFragment => ({
  key,
  values,
  text: (firstParameter, condition) => `${text(firstParameter, condition)} returning t."id"`,
});

/** What a list of so few records is done with is one piece. */
const onlyFragment = (fragments: readonly SqlFragment[]): SqlFragment => fragments[0] as SqlFragment;

/** Parameters: how many records each step has to find, the ids of all that have to be there and their steps, the pieces'. */
function buildSql(steps: readonly CommitStep[], rest: readonly SqlFragment[]): string {
  const last = steps.length - 1;
  const found = (step: number, compared: '=' | '<>') =>
    `(select count(*) from "step${step}") ${compared} $${step + 1}::bigint`;
  let firstParameter = steps.length + 3;
  const part = (name: string, { text, values }: SqlFragment, previousStep: number): string => {
    const sql = `${quoteIdentifier(name)} as materialized (${previousStep < 0 ? text(firstParameter) : text(firstParameter, found(previousStep, '='))})`;
    firstParameter += values.length;
    return sql;
  };
  const parts = [
    ...steps.map(({ fragment }, step) => part(`step${step}`, fragment, step - 1)),
    ...rest.map((fragment, index) => part(`rest${index}`, fragment, last)),
  ];
  if (last < 0) return `with ${parts.join(', ')} select from unnest($1::uuid[], $2::integer[])`;
  const existing = steps.map((_, step) => `select ${step} as "step", "id" from "step${step}"`).join(' union all ');
  const expected = `unnest($${last + 2}::uuid[], $${last + 3}::integer[]) with ordinality as w("id", "step", "place")`;
  const missing = `not exists (select 1 from (${existing}) t where t."step" = w."step" and t."id" = w."id")`;
  return `with ${parts.join(', ')} select cast('millrace ' || (min(w."place") - 1)::text as integer) from ${expected} where ${found(last, '<>')} and ${missing}`;
}
