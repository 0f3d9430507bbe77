/** Filters combine into many shapes; a client that tries them all must not fill the memory. */
const maxEntries = 2_000;

/** Statements built at their first use. */
export class StatementCache<Compiled> {
  readonly #entries = new Map<string, Compiled>();

  get(key: string, compile: () => Compiled): Compiled {
    const cached = this.#entries.get(key);
    if (cached !== undefined || this.#entries.has(key)) return cached as Compiled;
    const entry = compile();
    if (this.#entries.size >= maxEntries) this.#entries.clear();
    this.#entries.set(key, entry);
    return entry;
  }
}
