import type { Clock } from '../ports/index.js';

/** An answer, or the place for one that is on its way. */
export interface CacheEntry {
  readonly value: unknown;
}

class Entry implements CacheEntry {
  /** Undefined while the answer is on its way. */
  value: unknown;
  isInvalidated = false;
  readonly namespace: Map<string, Entry>;
  readonly key: string;
  readonly tags: readonly string[];
  readonly #clock: Clock;
  readonly #made: number;
  readonly #lifetime: number;

  constructor(namespace: Map<string, Entry>, key: string, tags: readonly string[], clock: Clock, lifetime: number) {
    this.namespace = namespace;
    this.key = key;
    this.tags = tags;
    this.#clock = clock;
    this.#made = clock.now();
    this.#lifetime = lifetime;
  }

  isFresh(): boolean {
    const age = this.#clock.now() - this.#made;
    return age >= 0 && age < this.#lifetime;
  }

  isUsable(): boolean {
    return !this.isInvalidated && this.value !== undefined && this.isFresh();
  }
}

/** An answer that somebody has begun to look up. */
export interface PendingEntry {
  /** Keeps the answer, unless what it is about has changed since it was asked for. */
  resolve(value: unknown): void;
}

/** Answers of one kind, by their keys. */
export interface CacheNamespace {
  get(key: string): CacheEntry | undefined;
  /**
   * Begins to look an answer up. Of several who look for the same at once, each keeps what it finds for all of them: if the
   * next one began anew every time, nothing would ever be kept while many ask.
   */
  begin(key: string, tags: readonly string[]): PendingEntry;
}

/** More answers than this are not kept at once; then all are let go. */
const maxEntries = 10_000;

/**
 * Answers kept for a short time, each under the subjects it depends on. An answer counts from the moment it was asked for;
 * one whose subject is dropped while it is on its way never gets in, since it may tell of the time before.
 */
export class TtlCache {
  readonly #shelves = new Map<string, Map<string, Entry>>();
  readonly #bySubject = new Map<string, Set<Entry>>();
  readonly #clock: Clock;
  readonly #milliseconds: number;
  #size = 0;

  constructor(clock: Clock, milliseconds: number) {
    this.#clock = clock;
    this.#milliseconds = milliseconds;
  }

  namespace(kind: string): CacheNamespace {
    const entries = this.#shelves.get(kind) ?? new Map<string, Entry>();
    this.#shelves.set(kind, entries);
    return {
      get(key) {
        const entry = entries.get(key);
        return entry?.isUsable() ? entry : undefined;
      },
      begin: (key, tags) => this.#expect(entries, key, tags),
    };
  }

  #expect(namespace: Map<string, Entry>, key: string, tags: readonly string[]): PendingEntry {
    const pending = namespace.get(key);
    if (pending?.value === undefined && pending?.isFresh()) return pendingEntry(pending);
    if (pending) this.#forget(pending);
    if (this.#size >= maxEntries) this.#clear();
    const entry = new Entry(namespace, key, tags, this.#clock, this.#milliseconds);
    namespace.set(key, entry);
    this.#size += 1;
    for (const tag of tags) {
      const entries = this.#bySubject.get(tag);
      if (entries) entries.add(entry);
      else this.#bySubject.set(tag, new Set([entry]));
    }
    return pendingEntry(entry);
  }

  /** Lets go of every answer on this subject, given or on its way. */
  invalidate(tag: string): void {
    for (const entry of this.#bySubject.get(tag) ?? []) this.#forget(entry);
  }

  #forget(entry: Entry): void {
    entry.isInvalidated = true;
    entry.namespace.delete(entry.key);
    this.#size -= 1;
    for (const tag of entry.tags) {
      const entries = this.#bySubject.get(tag);
      entries?.delete(entry);
      if (entries?.size === 0) this.#bySubject.delete(tag);
    }
  }

  #clear(): void {
    for (const namespace of this.#shelves.values()) {
      for (const entry of namespace.values()) entry.isInvalidated = true;
      namespace.clear();
    }
    this.#bySubject.clear();
    this.#size = 0;
  }
}

const pendingEntry = (entry: Entry): PendingEntry => ({
  resolve(value) {
    if (!entry.isInvalidated) entry.value = value;
  },
});
