import { secretLength } from './auth/token-text.js';
import { timestamp } from './contract/dates.js';
import type { About, Command, Given, Reader, Rules, Surroundings } from './contract/operation.js';
import { clientGone, conflict, Refusal } from './contract/refusal.js';
import type { Batch, Caller, Clock, Ids, Storage } from './ports/index.js';

/** What the shell around decisions works with. */
export interface Shell {
  readonly storage: Storage;
  /** The same storage with nothing kept in between: after a conflict, what was kept may be what was out of date. */
  readonly fresh: Storage;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly rules: Rules;
  readonly surroundings: Surroundings;
  /** Told after every commit that had events. */
  readonly committed: () => void;
}

/** What is asked of a command, and by whom. */
export interface Asked<At, Input> {
  readonly input: Input;
  readonly query: Readonly<Record<string, unknown>>;
  /** Null for the host itself. */
  readonly caller: Caller | null;
  /** Resolves what the command is about, anew for each attempt. */
  locate(reader: Reader): Promise<At | Refusal>;
  /** Whether the client has left: then no further attempt is begun. A commit under way is finished. */
  isAborted?(): boolean;
}

/** After so many conflicts in a row the command is given up with 409. */
const attempts = 10;

/**
 * Carries a command out: load, decide, commit. On a conflict all of it starts again from fresh rows, a few times and with
 * jitter.
 */
export async function execute<At, Input, Loaded, Reply>(
  command: Command<At, Input, Loaded, Reply>,
  { input, query, caller, locate, isAborted }: Asked<At, Input>,
  shell: Shell,
): Promise<Reply | Refusal> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (attempt > 0) await shell.clock.pause(shell.ids.chance() * 2 ** attempt);
    const reader = attempt === 0 ? shell.storage : shell.fresh;
    const at = await locate(reader);
    if (at instanceof Refusal) return at;
    const about: About<At, Input> = {
      ...shell.surroundings,
      reader,
      at,
      input,
      query,
      caller,
      attempt,
      chance: shell.ids.chance,
    };
    const loaded = await command.load(about);
    if (loaded instanceof Refusal) return loaded;
    if (isAborted?.()) return clientGone();
    const decision = command.decide(loaded, given(command, loaded, input, caller, shell));
    if (decision instanceof Refusal) return decision;
    if (isEmpty(decision.batch)) return decision.reply;
    const committed = await shell.storage.commit(decision.batch);
    if ('done' in committed) {
      if (decision.batch.events.length > 0) shell.committed();
      return decision.reply;
    }
    if ('duplicate' in committed) {
      const refusal = command.duplicates?.[`${committed.duplicate.entity}.${committed.duplicate.key}`];
      if (refusal) return refusal;
    }
  }
  return conflict();
}

const isEmpty = (batch: Batch): boolean => Object.values(batch).every((part) => part.length === 0);

function given<At, Input, Loaded, Reply>(
  command: Command<At, Input, Loaded, Reply>,
  loaded: Loaded,
  input: Input,
  caller: Caller | null,
  { clock, ids, rules }: Shell,
): Given<Input> {
  const now = clock.now();
  const count = command.ids?.(loaded, input) ?? 0;
  const secrets = Array.from({ length: command.secrets ?? 0 }, () => ids.secret(secretLength));
  return { input, caller, now: timestamp(now), ids: ids.take(count, now), secrets, rules };
}
