/** Whether an answer that somebody has used is still kept. */
export interface Source {
  isKept(): boolean;
}

/**
 * The look-ups that something was made of. As long as all of them are kept, it would be made the same again, and so may be
 * kept as well.
 */
export class Trail {
  readonly #sources: Source[] = [];
  #isWhole = true;

  follow(source: Source): void {
    this.#sources.push(source);
  }

  /** Something went into it that is never kept. */
  lose(): void {
    this.#isWhole = false;
  }

  /** What was made of nothing that is kept has nobody to say when it ends. */
  get isKept(): boolean {
    return this.#isWhole && this.#sources.length > 0 && this.#sources.every((source) => source.isKept());
  }
}
