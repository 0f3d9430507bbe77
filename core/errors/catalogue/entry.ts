/** What there is to know about one error of the API, as data. Placeholders in texts are written as `{name}`. */
export interface ErrorEntry {
  /** Stable: embedders switch on it. A code is never given another meaning. */
  readonly code: string;
  readonly status: number;
  /** Part of the API: clients depend on the exact text. */
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the error carries in its `data` besides its code. */
  readonly details?: 'errors' | 'problems';
  /** When it occurs: a whole sentence. */
  readonly when: string;
  /** What the caller can do about it: a whole sentence. */
  readonly whatToDo: string;
}
