import type { Clock } from '../ports/index.js';

interface Entry {
  /** Undefined while the answer is on its way. */
  value: unknown;
  readonly made: number;
  readonly subjects: readonly string[];
}

/** An answer that somebody has begun to look up. */
export interface Note {
  /** Keeps the answer, unless what it is about has changed since it was asked for. */
  keep(value: unknown): void;
}

/** More answers than this are not kept at once; then all are let go. */
const most = 10_000;

/**
 * Answers kept for a short time, each under the subjects it depends on. An answer counts from the moment it was asked for;
 * one whose subject is dropped while it is on its way never gets in, since it may tell of the time before.
 */
export class Shortly {
  readonly #entries = new Map<string, Entry>();
  readonly #bySubject = new Map<string, Set<string>>();
  readonly #clock: Clock;
  readonly #milliseconds: number;

  constructor(clock: Clock, milliseconds: number) {
    this.#clock = clock;
    this.#milliseconds = milliseconds;
  }

  get(key: string): unknown {
    const entry = this.#entries.get(key);
    return entry !== undefined && this.#isYoung(entry) ? entry.value : undefined;
  }

  /**
   * Begins to look an answer up. Of several who look for the same at once, each keeps what it finds for all of them: if the
   * next one began anew every time, nothing would ever be kept while many ask.
   */
  expect(key: string, subjects: readonly string[]): Note {
    const begun = this.#entries.get(key);
    if (begun !== undefined && begun.value === undefined && this.#isYoung(begun)) return this.#note(key, begun);
    this.#forget(key);
    if (this.#entries.size >= most) this.#clear();
    const entry: Entry = { value: undefined, made: this.#clock.now(), subjects };
    this.#entries.set(key, entry);
    for (const subject of subjects) {
      const keys = this.#bySubject.get(subject);
      if (keys) keys.add(key);
      else this.#bySubject.set(subject, new Set([key]));
    }
    return this.#note(key, entry);
  }

  #note(key: string, entry: Entry): Note {
    return {
      keep: (value) => {
        if (this.#entries.get(key) === entry) entry.value = value;
      },
    };
  }

  #isYoung({ made }: Entry): boolean {
    const age = this.#clock.now() - made;
    return age >= 0 && age < this.#milliseconds;
  }

  /** Lets go of every answer on this subject, given or on its way. */
  drop(subject: string): void {
    for (const key of this.#bySubject.get(subject) ?? []) this.#forget(key);
  }

  #forget(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    for (const subject of entry.subjects) {
      const keys = this.#bySubject.get(subject);
      keys?.delete(key);
      if (keys?.size === 0) this.#bySubject.delete(subject);
    }
  }

  #clear(): void {
    this.#entries.clear();
    this.#bySubject.clear();
  }
}
