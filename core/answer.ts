import { Refusal } from './contract/refusal.js';

/** What an answer consists of, before it is dressed as a response. */
export interface Answer {
  readonly status: number;
  /** To be sent as JSON. */
  readonly payload?: unknown;
  /** To be sent as it is, in place of a payload. */
  readonly body?: Uint8Array;
  /** JSON that is rendered already, in chunks. */
  readonly rendered?: readonly Uint8Array[];
  readonly headers?: Readonly<Record<string, string>>;
}

export const answered = (status: number, payload: unknown): Answer | Refusal =>
  payload instanceof Refusal ? payload : { status, payload };
