import { insert, type New } from '../commands/batch.js';
import type { EntityName, Row, Timestamp } from '../model/index.js';
import type { Insert } from '../ports/index.js';
import { DefaultMembers } from './default-members.js';
import type { ExistingRecords } from './existing-records.js';
import type { Problems } from './problems.js';
import type { ReferenceIndex } from './reference-index.js';

/** Where new ids and secrets come from; the same ones again make the same plan again. */
export interface IdSource {
  /** A fresh id, greater than the ones before. */
  id(): string;
  /** A fresh secret of so many base62 characters. */
  secret(length: number): string;
}

/** A plan in the making: what is made so far, and what has been found to be wrong. */
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

  /** The id that a record is to have, or a fresh one. */
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

  /** A new record of which others may have to know more than its id. */
  newRow<E extends EntityName>(row: New<E>): Row<E> {
    return { ...row, version: 1 } as unknown as Row<E>;
  }
}
