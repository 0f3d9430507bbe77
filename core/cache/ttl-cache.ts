import type { Clock } from '../ports/index.js';

/** More entries of one namespace, or more changed tags, than this are not kept: the oldest go first. */
const maxEntries = 10_000;

/** An answer that is being looked up: when that began, after which change, and what the answer depends on. */
export interface PendingEntry {
  readonly askedAt: number;
  asOf: number;
  readonly tags: readonly string[];
}

interface Entry extends PendingEntry {
  readonly value: unknown;
}

/**
 * Answers kept for a short time, each with tags that name what it depends on. Changes are numbered, and every tag has the
 * number of its last change: an answer whose tags have changed since it was asked for is not used, nor kept if it comes late.
 */
export class TtlCache {
  /** By namespace and key: to make one text of both would take longer than the two look-ups. */
  readonly #namespaces = new Map<string, Map<string, Entry>>();
  readonly #changes = new Map<string, number>();
  readonly #clock: Clock;
  readonly #milliseconds: number;
  #lastChange = 0;
  /** The number of the last change that is not known by its tag any more. */
  #forgottenChange = 0;

  constructor(clock: Clock, milliseconds: number) {
    this.#clock = clock;
    this.#milliseconds = milliseconds;
  }

  get(namespace: string, key: string): unknown {
    const entry = this.#namespaces.get(namespace)?.get(key);
    return entry !== undefined && this.#isFresh(entry) && this.#isUnchanged(entry) ? entry.value : undefined;
  }

  /** To be called before the answer is looked up. */
  begin(tags: readonly string[]): PendingEntry {
    return { askedAt: this.#clock.now(), asOf: this.#lastChange, tags };
  }

  /** Keeps an answer, unless what it depends on has changed since `begin`. */
  keep(namespace: string, key: string, value: unknown, pending: PendingEntry): void {
    if (!this.#isUnchanged(pending)) return;
    const entries = this.#namespaces.get(namespace) ?? new Map<string, Entry>();
    this.#namespaces.set(namespace, entries);
    entries.delete(key);
    entries.set(key, { ...pending, value });
    removeOldest(entries);
  }

  invalidate(tags: Iterable<string>): void {
    this.#lastChange += 1;
    for (const tag of tags) {
      this.#changes.delete(tag);
      this.#changes.set(tag, this.#lastChange);
      this.#forgottenChange = removeOldest(this.#changes) ?? this.#forgottenChange;
    }
  }

  #isFresh({ askedAt }: Entry): boolean {
    const age = this.#clock.now() - askedAt;
    return age >= 0 && age < this.#milliseconds;
  }

  #isUnchanged(entry: PendingEntry): boolean {
    if (entry.asOf === this.#lastChange) return true;
    if (entry.asOf < this.#forgottenChange) return false;
    for (const tag of entry.tags) if ((this.#changes.get(tag) ?? 0) > entry.asOf) return false;
    // The next look need not go through the tags again if nothing has changed meanwhile.
    entry.asOf = this.#lastChange;
    return true;
  }
}

/** Removes the entry that was added first if there are too many; its value. */
function removeOldest<V>(entries: Map<string, V>): V | undefined {
  if (entries.size <= maxEntries) return undefined;
  const [oldest] = entries;
  if (oldest === undefined) return undefined;
  entries.delete(oldest[0]);
  return oldest[1];
}
