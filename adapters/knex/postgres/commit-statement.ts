import { type EntityName, queryDefinition } from '../../../core/model/index.js';
import type { Batch, Committed, ExpectedVersion, Reference, Replace } from '../../../core/ports/index.js';
import { type Shape, shapeOf } from '../compile/query-shape.js';
import { counterUpdate } from './counter-update.js';
import { insertEventsFragment } from './outbox.js';
import { RecordFragments } from './record-fragments.js';
import type { Rows, Statement } from './session.js';
import type { SqlCache, SqlFragment } from './sql-fragments.js';
import type { QueryStatements } from './statements.js';

/** What a commit statement is built with; the same for all batches of a storage. */
export interface CommitContext {
  readonly prefix: string;
  readonly sqlCache: SqlCache;
  readonly statements: QueryStatements;
}

/**
 * A batch as one statement, which is a transaction by itself: most batches are small, and begin, commit and a dozen
 * statements in between cost more than their work.
 *
 * All parts of a statement see the same snapshot, and PostgreSQL runs them in no order but that in which they need each
 * other. So each part waits for the number of rows of the one before it. First come locks on all records that must be
 * there, entity by entity and id by id, so that no two batches wait for each other; a lock gives only the records that are
 * at the expected version, even if another transaction changed them after the snapshot was taken. Then come the
 * expectations `none`. If one of these checks fails, no later part does anything, and the statement returns what it found:
 * a conflict is a result and no error, which would fill the log of the server. Last come the changes.
 */
export class CommitStatement {
  readonly #batch: Batch;
  readonly #context: CommitContext;
  readonly #locks: readonly Lock[];
  readonly #nones: readonly NoneCheck[];
  readonly #changes: readonly Change[];
  readonly #rest: readonly SqlFragment[];

  /**
   * With `deleteThenInsert`, a replacement is a removal and an insertion. Unique keys are checked with every row, but two
   * records of a batch may exchange theirs, so then all that changes is taken out before any of it is put back.
   */
  constructor(batch: Batch, context: CommitContext, deleteThenInsert: boolean) {
    this.#batch = batch;
    this.#context = context;
    this.#locks = locksOf(batch, context.prefix);
    this.#nones = [
      ...noneChecksOf(batch, context),
      ...(deleteThenInsert ? absenceChecksOf(batch, context.prefix) : []),
    ];
    this.#changes = changesOf(batch, context.prefix, deleteThenInsert);
    this.#rest = entriesChangesOf(batch, context.prefix);
  }

  /**
   * The statements to send in one transaction; the result is that of the last one. Whether a query matches nothing must be
   * seen after the locks are held: then a first statement takes them, and the second has a snapshot of its own.
   */
  statements(slot: number): readonly Statement[] {
    const { events } = this.#batch;
    const counters = counterUpdate(this.#batch, this.#context.prefix, slot);
    // Counters come last: their rows are shared by many batches, and are to be locked for the shortest time.
    const rest = [
      ...this.#rest,
      ...(events.length > 0 ? [insertEventsFragment(events, this.#context.prefix)] : []),
      ...(counters === undefined ? [] : [counters]),
    ];
    const commit = this.#statement(this.#nones, this.#changes, rest);
    return this.#nones.length > 0 && this.#locks.length > 0 ? [this.#statement([], [], []), commit] : [commit];
  }

  /** What the last statement returned: nothing when all checks held, else what the checks found. */
  outcome(rows: Rows): Committed {
    if (rows.length === 0) return { done: true };
    const found = new Set(rows.map(([check, value]) => `${check} ${value}`));
    for (const [index, { records }] of this.#locks.entries()) {
      const missing = records.find((_, position) => !found.has(`${index} ${position + 1}`));
      if (missing !== undefined) return { conflict: { entity: missing.entity, id: missing.id } };
    }
    for (const [index, { conflict }] of this.#nones.entries()) {
      const hit = rows.find(([check]) => Number(check) === this.#locks.length + index);
      if (hit !== undefined) return { conflict: conflict(hit[1] ?? '') };
    }
    throw new TypeError('The commit statement has found no reason for a conflict');
  }

  #statement(nones: readonly NoneCheck[], changes: readonly Change[], rest: readonly SqlFragment[]): Statement {
    const counted = [...this.#locks, ...changes];
    const fragments = [...[...this.#locks, ...nones, ...changes].map(({ fragment }) => fragment), ...rest];
    const counts = counted.map(({ records }) => records.length);
    return {
      text: this.#context.sqlCache.get(`commit ${fragments.map(({ key }) => key).join(', ')}`, () =>
        buildSql(this.#locks, nones, changes, rest),
      ),
      values: [...counts, ...fragments.flatMap(({ values }) => values)],
    };
  }
}

/** A part that gives one row for each of its records. */
interface Part<Record> {
  readonly fragment: SqlFragment;
  readonly records: readonly Record[];
}
type Lock = Part<Reference>;
type Conflict = Extract<Committed, { conflict: unknown }>['conflict'];
type Change = Part<unknown>;

/** A part that must give no row; `conflict` says what the `id` of a row means. */
interface NoneCheck {
  readonly fragment: SqlFragment;
  conflict(id: string): Conflict;
}

/** One lock for each entity, in the strongest mode that any of its records needs: so the order of the ids is kept. */
function locksOf({ expect, remove, replace, touch }: Batch, prefix: string): Lock[] {
  const expected = expect.flatMap((one) => ('none' in one ? [] : [{ ...one, shared: true }]));
  const changed = [
    ...remove,
    ...replace.map(expectedVersionOf),
    ...touch.map((reference) => ({ ...reference, version: null })),
  ];
  return groupByEntity([...expected, ...changed.map((one) => ({ ...one, shared: false }))]).map(([entity, records]) => {
    const mode = records.every(({ shared }) => shared) ? 'share' : 'no key update';
    return { fragment: new RecordFragments(entity, prefix).lock(records, mode), records };
  });
}

function noneChecksOf({ expect }: Batch, { statements }: CommitContext): NoneCheck[] {
  return expect.flatMap((expectation) => {
    if (!('none' in expectation)) return [];
    const { none, args } = expectation;
    const shape: Shape = shapeOf(queryDefinition(none), args);
    if (shape.empty) return [];
    return [{ fragment: statements.any(none, shape, args), conflict: () => ({ none }) }];
  });
}

/** An id that exists is a conflict, and a unique key that exists a duplicate; the violated key alone does not tell which. */
const absenceChecksOf = ({ insert }: Batch, prefix: string): NoneCheck[] =>
  groupByEntity(insert).map(([entity, records]) => ({
    fragment: new RecordFragments(entity, prefix).present(records.map(({ row }) => row)),
    conflict: (id) => ({ entity, id }),
  }));

function changesOf({ insert, replace, touch, remove }: Batch, prefix: string, deleteThenInsert: boolean): Change[] {
  const change = <T extends { readonly entity: EntityName }>(
    list: readonly T[],
    make: (fragments: RecordFragments, records: readonly T[]) => SqlFragment,
  ): Change[] =>
    groupByEntity(list).map(([entity, records]) => ({
      fragment: make(new RecordFragments(entity, prefix), records),
      records,
    }));
  const removed = deleteThenInsert ? [...remove, ...replace.map(expectedVersionOf)] : remove;
  const inserted = deleteThenInsert ? [...replace, ...insert] : insert;
  return [
    ...change(removed, (fragments, records) => fragments.remove(records)),
    ...(deleteThenInsert ? [] : change(replace, (fragments, records) => fragments.replace(records))),
    ...change(touch, (fragments, records) => fragments.touch(records)),
    ...change(inserted, (fragments, records) => fragments.insert(records.map(({ row }) => row))),
  ];
}

/** Changes of side tables, which follow from the changes of the records. */
const entriesChangesOf = ({ insert, replace, remove }: Batch, prefix: string): SqlFragment[] => [
  ...groupByEntity(remove).flatMap(([entity, list]) => new RecordFragments(entity, prefix).removeEntries(list)),
  ...groupByEntity(replace).flatMap(([entity, list]) => new RecordFragments(entity, prefix).replaceEntries(list)),
  ...groupByEntity(insert).flatMap(([entity, list]) =>
    new RecordFragments(entity, prefix).addEntries(list.map(({ row }) => row)),
  ),
];

/** The record that a replacement takes the place of. */
const expectedVersionOf = ({ entity, row: { id, version } }: Replace): ExpectedVersion => ({
  entity,
  id,
  version: version - 1,
});

/** What a list holds of each entity, the entities in the order of their names. */
function groupByEntity<T extends { readonly entity: EntityName }>(list: readonly T[]): [EntityName, T[]][] {
  const groups = new Map<EntityName, T[]>();
  for (const one of list) {
    const group = groups.get(one.entity);
    if (group === undefined) groups.set(one.entity, [one]);
    else group.push(one);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Parameters: how many rows each lock and each change must give, then those of the fragments. */
function buildSql(
  locks: readonly Lock[],
  nones: readonly NoneCheck[],
  changes: readonly Change[],
  rest: readonly SqlFragment[],
): string {
  const ctes: string[] = [];
  let firstParameter = locks.length + changes.length + 1;
  const add = (name: string, { text, values }: SqlFragment, condition: string): void => {
    ctes.push(`"${name}" as materialized (${text(firstParameter, condition)})`);
    firstParameter += values.length;
  };
  const complete = (name: string, count: number) => `(select count(*) from "${name}") = $${count + 1}::bigint`;
  let condition = 'true';
  for (const [index, { fragment }] of locks.entries()) {
    add(`lock${index}`, fragment, condition);
    condition = complete(`lock${index}`, index);
  }
  const locked = condition;
  for (const [index, { fragment }] of nones.entries()) {
    add(`none${index}`, fragment, locked);
    condition += ` and not exists (select from "none${index}")`;
  }
  for (const [index, { fragment }] of changes.entries()) {
    add(`change${index}`, fragment, condition);
    condition = complete(`change${index}`, locks.length + index);
  }
  for (const [index, fragment] of rest.entries()) add(`rest${index}`, fragment, condition);
  const found = [
    `select -1 as "check", null::text as "value"`,
    ...locks.map((_, index) => `select ${index}, "place"::text from "lock${index}"`),
    ...nones.map((_, index) => `select ${locks.length + index}, "id"::text from "none${index}"`),
  ].join(' union all ');
  return `${ctes.length === 0 ? '' : `with ${ctes.join(', ')} `}select "check", "value" from (${found}) f where not (${condition})`;
}
