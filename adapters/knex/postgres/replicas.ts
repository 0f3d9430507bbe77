import type { PostgresOptions } from '../options.js';
import { Connections } from './connections.js';
import type { Rows, Session, Statement } from './session.js';

/** What rows and stamps are read from. */
export type Connected = Pick<Connections, 'flight'>;

/**
 * Standby servers to read from. They are behind, so the process remembers how far the log of the primary had come after its
 * last commit, or after one that was refused because of what another process did; a standby answers only if it has come as
 * far, which it says in the same trip. Otherwise the primary is asked. So whoever writes and reads through one process sees
 * what was written, and who tries again after a conflict does not meet the same old rows again.
 */
export class Replicas implements Connected {
  readonly #primary: Connections;
  readonly #standbys: readonly { readonly connections: Connections; restingUntil: number }[];
  #turn = 0;
  /** The place in the log that a standby must have reached; none of them has, if it is not known. */
  #needed = 0;

  constructor(options: PostgresOptions, primary: Connections) {
    this.#primary = primary;
    this.#standbys = (options.replicas ?? []).map((connection) => ({
      connections: new Connections({ ...options, connection }),
      restingUntil: 0,
    }));
    primary.afterWriting((session) => this.#remember(session));
  }

  async close(): Promise<void> {
    await Promise.all(this.#standbys.map(({ connections }) => connections.close()));
  }

  async flight(statements: readonly Statement[]): Promise<Rows[]> {
    const now = performance.now();
    const ready = this.#standbys.filter(({ restingUntil }) => restingUntil <= now);
    const chosen = ready[this.#turn++ % ready.length];
    if (chosen !== undefined && this.#needed < Number.POSITIVE_INFINITY) {
      const needed = this.#needed;
      try {
        const [place, ...answers] = await chosen.connections.flight([replayed, ...statements]);
        const reached = place?.[0]?.[0] ?? null;
        if (reached !== null && Number(reached) >= needed) return answers;
      } catch {
        // The primary can answer too. If that fails as well, its error is the one to tell.
        chosen.restingUntil = performance.now() + rest;
      }
    }
    return this.#primary.flight(statements);
  }

  async #remember(session: Session): Promise<void> {
    try {
      const [row] = await session.query(written);
      const place = Number(row?.[0]);
      this.#needed = this.#needed === Number.POSITIVE_INFINITY ? place : Math.max(this.#needed, place);
    } catch {
      this.#needed = Number.POSITIVE_INFINITY;
    }
  }
}

/** Milliseconds for which a standby that has failed is left alone. */
const rest = 1_000;

const replayed: Statement = { text: `select pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0')` };
const written: Statement = { text: `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')` };
