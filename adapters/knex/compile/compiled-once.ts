/** Filters combine into many shapes; a client that tries them all must not fill the memory. */
const most = 2_000;

/** Statements that are built when they are first asked for. */
export class CompiledOnce<Compiled> {
  readonly #compiled = new Map<string, Compiled>();

  get(key: string, make: () => Compiled): Compiled {
    let found = this.#compiled.get(key);
    if (found === undefined) {
      found = make();
      if (this.#compiled.size >= most) this.#compiled.clear();
      this.#compiled.set(key, found);
    }
    return found;
  }
}
