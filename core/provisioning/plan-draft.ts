import { insert, type New } from '../commands/batch.js';
import type { EntityName, Row, Timestamp } from '../model/index.js';
import type { Insert } from '../ports/index.js';
import { DefaultMembers } from './default-members.js';
import type { ExistingRecords } from './existing-records.js';
import type { Problems } from './problems.js';
import type { ReferenceIndex } from './reference-index.js';

/** The source of new ids and secrets. Planning a document with the same ids and secrets gives the same plan. */
export interface IdSource {
  /** A new id, greater than all before it. */
  id(): string;
  /** A new secret of this number of base62 characters. */
  secret(length: number): string;
}

/** A plan while it is built: the insertions so far, and the problems found. */
export class PlanDraft {
  readonly #inserts: Insert[] = [];
  readonly #ids = new Set<string>();
  readonly #existing: ExistingRecords;
  readonly defaultMembers: DefaultMembers;

  constructor(
    readonly now: Timestamp,
    readonly idSource: IdSource,
    readonly referenceIndex: ReferenceIndex,
    readonly problems: Problems,
    existing: ExistingRecords,
  ) {
    this.#existing = existing;
    this.defaultMembers = new DefaultMembers(existing.defaultTeams);
  }

  get inserts(): readonly Insert[] {
    return this.#inserts;
  }

  /** The id that the document sets for a record, or a new one. */
  idFor(entity: EntityName, explicitId: string | undefined, path: string): string {
    if (explicitId === undefined) return this.idSource.id();
    const key = `${entity} ${explicitId}`;
    if (this.#ids.has(key)) this.problems.add(`${path}.id: ${explicitId} is the id of another record of the document`);
    else if (this.#existing.ids.has(key)) this.problems.add(`${path}.id: there is a record ${explicitId} already`);
    this.#ids.add(key);
    return explicitId;
  }

  insert<E extends EntityName>(entity: E, row: New<E>): void {
    this.#inserts.push(insert(entity, row));
  }

  /** Plans a new record and returns its row, for callers that need more than its id. */
  newRow<E extends EntityName>(row: New<E>): Row<E> {
    return { ...row, version: 1 } as unknown as Row<E>;
  }
}
