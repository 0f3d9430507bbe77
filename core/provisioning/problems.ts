import { type ApiError, errors } from '../errors/index.js';

/** The largest number of problems that are listed. Further ones are only counted. */
const maxReported = 100;

/** Collects the problems of a fixture. */
export class Problems {
  readonly #told: string[] = [];
  #count = 0;

  /** Adds a problem: a sentence that begins with the path, such as `builds[3].state must be …`. */
  add(sentence: string): void {
    this.#count += 1;
    if (this.#told.length < maxReported) this.#told.push(sentence);
  }

  get exist(): boolean {
    return this.#count > 0;
  }

  /** The error that lists the problems. */
  toError(): ApiError<'fixture.invalid'> {
    const more = this.#count - 1;
    const others = more > 0 ? ` (and ${more} more ${more === 1 ? 'problem' : 'problems'})` : '';
    return errors.fixtureInvalid({ summary: `${this.#told[0]}${others}`, problems: this.#told });
  }
}

/** The path of a property: `env.PATH`, `env["a b"]`, `builds[3]`. */
export const joinPath = (path: string, key: string | number): string => {
  if (typeof key === 'number') return `${path}[${key}]`;
  if (!/^[A-Za-z_$][\w$-]*$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
};
