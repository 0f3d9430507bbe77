/** Filters combine into many shapes; a client that tries them all must not fill the memory. */
const most = 2_000;

/** Statements that are built when they are first asked for. */
export class CompiledOnce<Compiled> {
  readonly #compiled = new Map<string, Compiled>();

  get(key: string, make: () => Compiled): Compiled {
    const known = this.#compiled.get(key);
    if (known !== undefined || this.#compiled.has(key)) return known as Compiled;
    const made = make();
    if (this.#compiled.size >= most) this.#compiled.clear();
    this.#compiled.set(key, made);
    return made;
  }
}
