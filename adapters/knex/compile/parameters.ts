/** What a call gives to a compiled statement: the arguments of the query, and numbers such as the limit. */
export interface StatementInput {
  readonly args: Readonly<Record<string, unknown>>;
  readonly numbers: Readonly<Record<string, number>>;
}

type Binder = (input: StatementInput) => unknown;

/** Gathers the parameters of a statement while its text is written; each of them gets a numbered place. */
export class Parameters {
  readonly #binders: Binder[] = [];
  readonly #numbers = new Map<string, string>();
  readonly #parameterSign: string;
  readonly #first: number;

  /** `sign` is the sign before the number of a parameter: `?` in SQLite, `$` in PostgreSQL. Numbers begin with `first`. */
  constructor(parameterSign: string, first = 1) {
    this.#parameterSign = parameterSign;
    this.#first = first;
  }

  add(binder: Binder): string {
    this.#binders.push(binder);
    return `${this.#parameterSign}${this.#first + this.#binders.length - 1}`;
  }

  /** The parameter of a number of the call; repeated uses share one parameter. */
  number(name: string): string {
    const placeholder = this.#numbers.get(name) ?? this.add(({ numbers }) => numbers[name]);
    this.#numbers.set(name, placeholder);
    return placeholder;
  }

  /** The values for one call, in the order of their places. */
  bind(input: StatementInput): unknown[] {
    return this.#binders.map((binder) => binder(input));
  }
}
