import type { PostgresOptions } from '../options.js';
import type { Tuning } from '../tuning.js';
import { Connections } from './connections.js';
import type { Rows, Session, Statement } from './session.js';

/** What rows and stamps are read from. */
export type ReadConnection = Pick<Connections, 'pipelined'>;

/**
 * Standby servers to read from. They are behind, so the process remembers how far the log of the primary had come after its
 * last commit, or after one that was refused because of what another process did; a standby answers only if it has come as
 * far, which it says in the same trip. Otherwise the primary is asked. So whoever writes and reads through one process sees
 * what was written, and who tries again after a conflict does not meet the same old rows again.
 */
export class Replicas implements ReadConnection {
  readonly #primary: Connections;
  readonly #standbys: readonly { readonly connections: Connections; disabledUntil: number }[];
  #nextStandby = 0;
  /** The place in the log that a standby must have reached; none of them has, if it is not known. */
  #requiredLsn = 0;

  constructor(options: PostgresOptions, tuning: Tuning, primary: Connections) {
    this.#primary = primary;
    this.#standbys = (options.replicas ?? []).map((connection) => ({
      connections: new Connections({ ...options, connection }, tuning),
      disabledUntil: 0,
    }));
    primary.afterWrite((session) => this.#recordLsn(session));
  }

  async close(): Promise<void> {
    await Promise.all(this.#standbys.map(({ connections }) => connections.close()));
  }

  async pipelined(statements: readonly Statement[]): Promise<Rows[]> {
    const now = performance.now();
    const ready = this.#standbys.filter(({ disabledUntil }) => disabledUntil <= now);
    const chosen = ready[this.#nextStandby++ % ready.length];
    if (chosen !== undefined && this.#requiredLsn < Number.POSITIVE_INFINITY) {
      const requiredLsn = this.#requiredLsn;
      try {
        const [lsn, ...results] = await chosen.connections.pipelined([replayedLsn, ...statements]);
        const reachedLsn = lsn?.[0]?.[0] ?? null;
        if (reachedLsn !== null && Number(reachedLsn) >= requiredLsn) return results;
      } catch {
        // The primary can answer too. If that fails as well, its error is the one to tell.
        chosen.disabledUntil = performance.now() + standbyBackoff;
      }
    }
    return this.#primary.pipelined(statements);
  }

  async #recordLsn(session: Session): Promise<void> {
    try {
      const [row] = await session.query(writtenLsn);
      const lsn = Number(row?.[0]);
      this.#requiredLsn = this.#requiredLsn === Number.POSITIVE_INFINITY ? lsn : Math.max(this.#requiredLsn, lsn);
    } catch {
      this.#requiredLsn = Number.POSITIVE_INFINITY;
    }
  }
}

/** Milliseconds for which a standby that has failed is left alone. */
const standbyBackoff = 1_000;

const replayedLsn: Statement = { text: `select pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')` };
const writtenLsn: Statement = { text: `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')` };
