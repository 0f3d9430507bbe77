import type { RenderCache } from '../cache/index.js';
import type { ApiError } from '../errors/index.js';
import type { Timestamp } from '../model/index.js';
import type { Batch, Caller, Reader } from '../ports/index.js';
import type { Links } from '../representations/links.js';

/** Choices of the host that operations depend on. */
export interface Rules {
  /** Whether a cancel ends a build at once, or lets the running jobs report first (decisions 7). */
  readonly cancellation: 'immediate' | 'graceful';
  /** Milliseconds without a sign of life after which an agent counts as lost. */
  readonly agentTimeout: number;
}

/** What an operation may use besides its input. */
export interface OperationContext {
  readonly reader: Reader;
  readonly links: Links;
  readonly renderCache: RenderCache;
  readonly rules: Rules;
  /** The next number of a sequence (`Storage.next`). */
  next(sequence: string): Promise<number>;
  now(): Timestamp;
}

/** What `decide` may use: plain values only, so that a test needs no storage. No I/O, no clock, no randomness. */
export interface DecideContext<Input = unknown> {
  readonly input: Input;
  /** Who asks; null for the host itself. */
  readonly caller: Caller | null;
  readonly now: Timestamp;
  /** As many fresh ids as the command asked for. */
  readonly ids: readonly string[];
  /** As many fresh secrets as the command asked for: random base62 characters. */
  readonly secrets: readonly string[];
  readonly rules: Rules;
}

export interface Decision<Reply> {
  readonly batch: Batch;
  readonly reply: Reply;
}

/** What `load` of a command may use. */
export interface LoadContext<At, Input> extends OperationContext {
  readonly records: At;
  readonly input: Input;
  readonly caller: Caller | null;
  /** Query parameters of the request; none for a command of the host. */
  readonly query: Readonly<Record<string, unknown>>;
  /** 0 at first, one more after each conflict. */
  readonly attempt: number;
  /** A random number from 0 to 1, so that commands that met a conflict spread out. */
  random(): number;
}

/**
 * Something that changes the state: load, decide, commit. When the batch meets a conflict, all three start again.
 * `At` is what it is about: the records of the path, or nothing for a command of the host.
 */
export interface Command<At, Input, Loaded, Reply> {
  /** Rows that the decision needs, read anew for every attempt. */
  load(context: LoadContext<At, Input>): Promise<Loaded | ApiError>;
  /** How many fresh ids the decision needs; none if absent. */
  ids?(loaded: Loaded, input: Input): number;
  /** How many fresh secrets the decision needs. */
  readonly secrets?: number;
  decide(loaded: Loaded, context: DecideContext<Input>): Decision<Reply> | ApiError;
  /** The error if the commit would violate a unique key, by `entity.key`. The command is retried after other violations. */
  duplicates?: Readonly<Record<string, () => ApiError>>;
}
