import { secretLength } from '../auth/token-format.js';
import { type ApiError, errors, isApiError } from '../errors/index.js';
import type { Batch, Caller, Clock, Ids, Storage } from '../ports/index.js';
import type { Reader } from '../ports/storage.js';
import { formatTimestamp } from '../schema/timestamps.js';
import type { Command, DecideContext, LoadContext, OperationContext, Rules } from './command.js';

/** The dependencies of commands: storage, clock, ids and rules. */
export interface CommandRuntime {
  readonly storage: Storage;
  /** The same storage without the lookup cache. Retries use it, since a cached row may have caused the conflict. */
  readonly uncachedStorage: Storage;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly rules: Rules;
  readonly context: OperationContext;
  /** Called after every commit with events. */
  readonly onCommitted: () => void;
}

/** The input of a command, and its caller. */
export interface CommandInput<At, Input> {
  readonly input: Input;
  readonly query: Readonly<Record<string, unknown>>;
  /** Null for the host program. */
  readonly caller: Caller | null;
  /** Resolves the records of the path, again for each attempt. */
  locate(reader: Reader): Promise<At | ApiError>;
  /** Whether the client has closed its connection. Then no attempt starts, but a pending commit finishes. */
  isAborted?(): boolean;
}

/** After this many conflicts in a row the command fails with 409. */
const attempts = 10;

/**
 * Executes a command: load, decide, commit. After a conflict all steps are repeated with newly loaded rows, a few times and
 * with jitter.
 */
export async function execute<At, Input, Loaded, Reply>(
  command: Command<At, Input, Loaded, Reply>,
  { input, query, caller, locate, isAborted }: CommandInput<At, Input>,
  runtime: CommandRuntime,
): Promise<Reply | ApiError> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (attempt > 0) await runtime.clock.sleep(runtime.ids.random() * 2 ** attempt);
    const reader = attempt === 0 ? runtime.storage : runtime.uncachedStorage;
    const records = await locate(reader);
    if (isApiError(records)) return records;
    const context: LoadContext<At, Input> = {
      ...runtime.context,
      reader,
      records,
      input,
      query,
      caller,
      attempt,
      random: runtime.ids.random,
    };
    const loaded = await command.load(context);
    if (isApiError(loaded)) return loaded;
    if (isAborted?.()) return errors.requestAborted();
    const decision = command.decide(loaded, decideContext(command, loaded, input, caller, runtime));
    if (isApiError(decision)) return decision;
    if (isEmpty(decision.batch)) return decision.reply;
    const committed = await runtime.storage.commit(decision.batch);
    if ('done' in committed) {
      if (decision.batch.events.length > 0) runtime.onCommitted();
      return decision.reply;
    }
    if ('duplicate' in committed) {
      const makeError = command.duplicates?.[`${committed.duplicate.entity}.${committed.duplicate.key}`];
      if (makeError) return makeError();
    }
  }
  return errors.conflict();
}

const isEmpty = (batch: Batch): boolean => Object.values(batch).every((part) => part.length === 0);

function decideContext<At, Input, Loaded, Reply>(
  command: Command<At, Input, Loaded, Reply>,
  loaded: Loaded,
  input: Input,
  caller: Caller | null,
  { clock, ids, rules }: CommandRuntime,
): DecideContext<Input> {
  const now = clock.now();
  const count = command.ids?.(loaded, input) ?? 0;
  const secrets = Array.from({ length: command.secrets ?? 0 }, () => ids.secret(secretLength));
  return { input, caller, now: formatTimestamp(now), ids: ids.uuids(count, now), secrets, rules };
}
