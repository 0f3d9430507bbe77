import type { Call, Surroundings } from './contract/operation.js';
import type { Auth, Caller, Right, Storage } from './ports/index.js';

/** What a caller has asked for. */
export interface Asked {
  readonly caller: Caller;
  /** Path parameters by name. */
  readonly params: Readonly<Record<string, string>>;
  /** As they were sent. */
  readonly path: string;
  readonly query: string;
}

export interface CallOptions {
  readonly storage: Storage;
  readonly auth: Auth;
  readonly surroundings: Surroundings;
}

/** The call of an operation, once its path and its query are understood. */
export function callFor({ caller }: Asked, at: unknown, query: unknown, options: CallOptions): Call<never, never> {
  const { auth, surroundings } = options;
  // Named one by one: to spread them takes a tenth of the time of a small answer.
  const { reader, links, renderings, rules, next, now } = surroundings;
  const may = (right: Right) => auth.may(caller, right);
  const call: Call = { reader, links, renderings, rules, next, now, caller, at, query, input: undefined, may };
  return call as Call<never, never>;
}
