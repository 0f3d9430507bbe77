import type { Command } from '../contract/operation.js';
import { invalid, Refusal } from '../contract/refusal.js';
import type { Infer, Schema } from '../contract/schema.js';
import { humanize, validate } from '../contract/validation.js';
import { execute, type Shell } from '../execute.js';

/** A command of the host: an operation without path and scope. */
export interface HostCommand<S extends Schema, Loaded, Reply> extends Command<null, Infer<S>, Loaded, Reply> {
  /** `jobs.accept` */
  readonly id: string;
  readonly input: S;
}

/** Declares a command of the host. */
export const hostCommand = <S extends Schema, Loaded, Reply>(
  command: HostCommand<S, Loaded, Reply>,
): HostCommand<S, Loaded, Reply> => command;

/** The function that the host calls for a command: checks the input, carries it out, and throws what is refused. */
export const callable =
  <S extends Schema, Loaded, Reply>(command: HostCommand<S, Loaded, Reply>, shell: Shell) =>
  async (input: Infer<S>): Promise<Reply> => {
    const read = await validate(command.input, (input ?? {}) as Readonly<Record<string, unknown>>);
    if ('problems' in read) throw invalid(...read.problems.map(({ field, reason }) => `${humanize(field)} ${reason}`));
    const reply = await execute(
      command,
      { input: read.value, query: {}, caller: null, locate: async () => null },
      shell,
    );
    if (reply instanceof Refusal) throw reply;
    return reply;
  };
