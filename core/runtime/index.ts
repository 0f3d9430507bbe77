import { accessTokenPrefix, makeToken } from '../auth/token-format.js';
import type { CommandRuntime } from '../commands/execute.js';
import { issue, revoke } from './access-tokens.js';
import * as agents from './agents.js';
import * as jobs from './jobs.js';
import type { Runtime } from './runtime.js';
import { bindCommand } from './runtime-command.js';
import { sweep, timeOut } from './sweep.js';
import { makeTestExecutions } from './test-executions/index.js';

export type * from './runtime.js';
export type {
  ExecutionInput,
  RecordInput,
  RecordResult,
  ResolveInput,
  TestRecord,
  TestsRuntime,
} from './test-executions/index.js';

/** Binds the commands of the runtime to a storage, a clock and ids. */
export function makeRuntime(commandRuntime: CommandRuntime): Runtime {
  const lose = bindCommand(agents.lose, commandRuntime);
  const issueToken = bindCommand(issue, commandRuntime);
  return {
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
      issue: (input) => issueToken({ ...input, text: makeToken(accessTokenPrefix, commandRuntime.ids) }),
      revoke: bindCommand(revoke, commandRuntime),
    },
    sweep: () => sweep(commandRuntime, { lose, timeOut: bindCommand(timeOut, commandRuntime) }),
  };
}
