import { accessTokenPrefix, makeToken } from '../auth/token-text.js';
import type { Infer } from '../contract/schema.js';
import type { Shell } from '../execute.js';
import * as agents from './agents.js';
import { callable } from './call.js';
import { makeLoad, makeProvision } from './fixture/index.js';
import * as jobs from './jobs.js';
import { type Swept, sweep, timeOut } from './sweep.js';
import { makeTests } from './tests/index.js';
import { issue, revoke } from './tokens.js';

/**
 * What the CI system behind the API calls: its agents, their jobs, its tokens. Every call resolves with plain values, and
 * rejects with a `Refusal` (status, message) where the API would answer with one.
 */
export type Host = ReturnType<typeof makeHost>;

export function makeHost(shell: Shell) {
  const lose = callable(agents.lose, shell);
  const issueToken = callable(issue, shell);
  const load = makeLoad(shell);
  return {
    /**
     * Loads a fixture: all of its records, or none. What is wrong with it is thrown as a `FixtureRefusal` that names every
     * problem by its path. The records announce no events.
     */
    load,
    /** Makes one record of a fixture at a time; it may point at records that exist already. */
    provision: makeProvision(load),
    agents: {
      register: callable(agents.register, shell),
      connect: callable(agents.connect, shell),
      heartbeat: callable(agents.heartbeat, shell),
      disconnect: callable(agents.disconnect, shell),
    },
    jobs: {
      accept: callable(jobs.accept, shell),
      start: callable(jobs.start, shell),
      finish: callable(jobs.finish, shell),
      release: callable(jobs.release, shell),
      retry: callable(jobs.retry, shell),
      unblock: callable(jobs.unblockJob, shell),
    },
    tests: makeTests(shell),
    accessTokens: {
      /** Issues a token; the reply is the only place where its text is ever seen. */
      issue: (input: Omit<Infer<typeof issue.input>, 'text'>) =>
        issueToken({ ...input, text: makeToken(accessTokenPrefix, shell.ids) }),
      revoke: callable(revoke, shell),
    },
    /** Does what time alone brings about: lost agents, jobs that run for too long. Call it every few seconds. */
    sweep: (): Promise<Swept> => sweep(shell, { lose, timeOut: callable(timeOut, shell) }),
  };
}
