import type { Clock } from '../ports/index.js';

/** An answer, or the place for one that is on its way. */
export interface Kept {
  readonly value: unknown;
}

class Entry implements Kept {
  /** Undefined while the answer is on its way. */
  value: unknown;
  isDropped = false;
  readonly shelf: Map<string, Entry>;
  readonly key: string;
  readonly subjects: readonly string[];
  readonly #clock: Clock;
  readonly #made: number;
  readonly #lifetime: number;

  constructor(shelf: Map<string, Entry>, key: string, subjects: readonly string[], clock: Clock, lifetime: number) {
    this.shelf = shelf;
    this.key = key;
    this.subjects = subjects;
    this.#clock = clock;
    this.#made = clock.now();
    this.#lifetime = lifetime;
  }

  isYoung(): boolean {
    const age = this.#clock.now() - this.#made;
    return age >= 0 && age < this.#lifetime;
  }

  isKept(): boolean {
    return !this.isDropped && this.value !== undefined && this.isYoung();
  }
}

/** An answer that somebody has begun to look up. */
export interface Note {
  /** Keeps the answer, unless what it is about has changed since it was asked for. */
  keep(value: unknown): void;
}

/** Answers of one kind, by their keys. */
export interface Shelf {
  get(key: string): Kept | undefined;
  /**
   * Begins to look an answer up. Of several who look for the same at once, each keeps what it finds for all of them: if the
   * next one began anew every time, nothing would ever be kept while many ask.
   */
  expect(key: string, subjects: readonly string[]): Note;
}

/** More answers than this are not kept at once; then all are let go. */
const most = 10_000;

/**
 * Answers kept for a short time, each under the subjects it depends on. An answer counts from the moment it was asked for;
 * one whose subject is dropped while it is on its way never gets in, since it may tell of the time before.
 */
export class Shortly {
  readonly #shelves = new Map<string, Map<string, Entry>>();
  readonly #bySubject = new Map<string, Set<Entry>>();
  readonly #clock: Clock;
  readonly #milliseconds: number;
  #size = 0;

  constructor(clock: Clock, milliseconds: number) {
    this.#clock = clock;
    this.#milliseconds = milliseconds;
  }

  shelf(kind: string): Shelf {
    const entries = this.#shelves.get(kind) ?? new Map<string, Entry>();
    this.#shelves.set(kind, entries);
    return {
      get(key) {
        const entry = entries.get(key);
        return entry?.isKept() ? entry : undefined;
      },
      expect: (key, subjects) => this.#expect(entries, key, subjects),
    };
  }

  #expect(shelf: Map<string, Entry>, key: string, subjects: readonly string[]): Note {
    const begun = shelf.get(key);
    if (begun?.value === undefined && begun?.isYoung()) return noteOn(begun);
    if (begun) this.#forget(begun);
    if (this.#size >= most) this.#clear();
    const entry = new Entry(shelf, key, subjects, this.#clock, this.#milliseconds);
    shelf.set(key, entry);
    this.#size += 1;
    for (const subject of subjects) {
      const entries = this.#bySubject.get(subject);
      if (entries) entries.add(entry);
      else this.#bySubject.set(subject, new Set([entry]));
    }
    return noteOn(entry);
  }

  /** Lets go of every answer on this subject, given or on its way. */
  drop(subject: string): void {
    for (const entry of this.#bySubject.get(subject) ?? []) this.#forget(entry);
  }

  #forget(entry: Entry): void {
    entry.isDropped = true;
    entry.shelf.delete(entry.key);
    this.#size -= 1;
    for (const subject of entry.subjects) {
      const entries = this.#bySubject.get(subject);
      entries?.delete(entry);
      if (entries?.size === 0) this.#bySubject.delete(subject);
    }
  }

  #clear(): void {
    for (const shelf of this.#shelves.values()) {
      for (const entry of shelf.values()) entry.isDropped = true;
      shelf.clear();
    }
    this.#bySubject.clear();
    this.#size = 0;
  }
}

const noteOn = (entry: Entry): Note => ({
  keep(value) {
    if (!entry.isDropped) entry.value = value;
  },
});
