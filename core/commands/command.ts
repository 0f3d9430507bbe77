import type { RenderCache } from '../cache/index.js';
import type { ApiError } from '../errors/index.js';
import type { Timestamp } from '../model/index.js';
import type { Batch, Caller, Reader } from '../ports/index.js';
import type { Links } from '../representations/links.js';

/** Options of the host program that operations depend on. */
export interface Rules {
  /** Whether a cancel ends a build at once, or lets the running jobs report first (decisions 7). */
  readonly cancellation: 'immediate' | 'graceful';
  /** Milliseconds without a heartbeat after which an agent is lost. */
  readonly agentTimeout: number;
}

/** The context of an operation, in addition to its input. */
export interface OperationContext {
  readonly reader: Reader;
  readonly links: Links;
  readonly renderCache: RenderCache;
  readonly rules: Rules;
  /** The next number of a sequence (`Storage.next`). */
  next(sequence: string): Promise<number>;
  now(): Timestamp;
}

/** The context of `decide`: plain values only, so that a test needs no storage. No I/O, no clock, no randomness. */
export interface DecideContext<Input = unknown> {
  readonly input: Input;
  /** The caller. Null for the host program. */
  readonly caller: Caller | null;
  readonly now: Timestamp;
  /** New ids, as many as the command's `ids`. */
  readonly ids: readonly string[];
  /** New secrets, as many as the command's `secrets`: random base62 characters. */
  readonly secrets: readonly string[];
  readonly rules: Rules;
}

export interface Decision<Reply> {
  readonly batch: Batch;
  readonly reply: Reply;
}

/** The context of `load` of a command. */
export interface LoadContext<At, Input> extends OperationContext {
  readonly records: At;
  readonly input: Input;
  readonly caller: Caller | null;
  /** Query parameters of the request. Empty for a command of the host program. */
  readonly query: Readonly<Record<string, unknown>>;
  /** 0 at first, one more after each conflict. */
  readonly attempt: number;
  /** A random number from 0 to 1, so that commands that met a conflict spread out. */
  random(): number;
}

/**
 * A command: load, decide, commit. If the commit returns a conflict, all three steps are repeated.
 * `At` is the type of the records of the path. Commands of the host program have none.
 */
export interface Command<At, Input, Loaded, Reply> {
  /** Reads the rows that the decision needs, again for every attempt. */
  load(context: LoadContext<At, Input>): Promise<Loaded | ApiError>;
  /** The number of new ids that the decision needs. Default: none. */
  ids?(loaded: Loaded, input: Input): number;
  /** The number of new secrets that the decision needs. Default: none. */
  readonly secrets?: number;
  decide(loaded: Loaded, context: DecideContext<Input>): Decision<Reply> | ApiError;
  /** The error if the commit would violate a unique key, by `entity.key`. The command is retried after other violations. */
  duplicates?: Readonly<Record<string, () => ApiError>>;
}
