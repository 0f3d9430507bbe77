/** What a call gives to a compiled statement: the arguments of the query, and numbers such as the limit. */
export interface Call {
  readonly args: Readonly<Record<string, unknown>>;
  readonly numbers: Readonly<Record<string, number>>;
}

type Binder = (call: Call) => unknown;

/** Gathers the parameters of a statement while its text is written; each of them gets a numbered place. */
export class Parameters {
  readonly #binders: Binder[] = [];
  readonly #numbers = new Map<string, string>();
  readonly #sign: string;

  /** `sign` stands before the number of a place: `?` in SQLite, `$` in PostgreSQL. */
  constructor(sign: string) {
    this.#sign = sign;
  }

  add(binder: Binder): string {
    this.#binders.push(binder);
    return `${this.#sign}${this.#binders.length}`;
  }

  /** The place of a number of the call; the same one whenever it is asked for. */
  number(name: string): string {
    const place = this.#numbers.get(name) ?? this.add(({ numbers }) => numbers[name]);
    this.#numbers.set(name, place);
    return place;
  }

  /** The values for one call, in the order of their places. */
  bind(call: Call): unknown[] {
    return this.#binders.map((binder) => binder(call));
  }
}
