import { accessTokenPrefix, makeToken } from '../auth/token-format.js';
import type { CommandRuntime } from '../commands/execute.js';
import { makeLoad, makeProvision } from '../provisioning/index.js';
import type { Infer } from '../schema/schema.js';
import { issue, revoke } from './access-tokens.js';
import * as agents from './agents.js';
import * as jobs from './jobs.js';
import { bindCommand } from './runtime-command.js';
import { type SweepResult, sweep, timeOut } from './sweep.js';
import { makeTestExecutions } from './test-executions/index.js';

/**
 * What the CI system behind the API calls: its agents, their jobs, its tokens. Every call resolves with plain values, and
 * rejects with an `ApiError` where the API would answer with one: `data.code` says which.
 */
export type Runtime = ReturnType<typeof makeRuntime>;

export function makeRuntime(commandRuntime: CommandRuntime) {
  const lose = bindCommand(agents.lose, commandRuntime);
  const issueToken = bindCommand(issue, commandRuntime);
  const load = makeLoad(commandRuntime);
  return {
    /**
     * Loads a fixture: all of its records, or none. What is wrong with it is thrown as the error `fixture.invalid`, which
     * names every problem by its path. The records announce no events.
     */
    load,
    /** Makes one record of a fixture at a time; it may point at records that exist already. */
    provision: makeProvision(load),
    agents: {
      register: bindCommand(agents.register, commandRuntime),
      connect: bindCommand(agents.connect, commandRuntime),
      heartbeat: bindCommand(agents.heartbeat, commandRuntime),
      disconnect: bindCommand(agents.disconnect, commandRuntime),
    },
    jobs: {
      accept: bindCommand(jobs.accept, commandRuntime),
      start: bindCommand(jobs.start, commandRuntime),
      finish: bindCommand(jobs.finish, commandRuntime),
      release: bindCommand(jobs.release, commandRuntime),
      retry: bindCommand(jobs.retry, commandRuntime),
      unblock: bindCommand(jobs.unblockJob, commandRuntime),
    },
    tests: makeTestExecutions(commandRuntime),
    accessTokens: {
      /** Issues a token; the reply is the only place where its text is ever seen. */
      issue: (input: Omit<Infer<typeof issue.input>, 'text'>) =>
        issueToken({ ...input, text: makeToken(accessTokenPrefix, commandRuntime.ids) }),
      revoke: bindCommand(revoke, commandRuntime),
    },
    /** Does what time alone brings about: lost agents, jobs that run for too long. Call it every few seconds. */
    sweep: (): Promise<SweepResult> => sweep(commandRuntime, { lose, timeOut: bindCommand(timeOut, commandRuntime) }),
  };
}
