import type { Command } from '../commands/command.js';
import { type CommandRuntime, execute } from '../commands/execute.js';
import { errors, isApiError } from '../errors/index.js';
import type { Infer, Schema } from '../schema/schema.js';
import { describeProblems, validate } from '../schema/validation.js';

/** A command of the CI system: an operation without path and scope. */
export interface RuntimeCommand<S extends Schema, Loaded, Reply> extends Command<null, Infer<S>, Loaded, Reply> {
  /** `jobs.accept` */
  readonly id: string;
  readonly input: S;
}

/** Declares a runtime command. */
export const runtimeCommand = <S extends Schema, Loaded, Reply>(
  command: RuntimeCommand<S, Loaded, Reply>,
): RuntimeCommand<S, Loaded, Reply> => command;

/** The public function of a command: validates the input, executes the command, and throws the error if it fails. */
export const bindCommand =
  <S extends Schema, Loaded, Reply>(command: RuntimeCommand<S, Loaded, Reply>, commandRuntime: CommandRuntime) =>
  async (input: Infer<S>): Promise<Reply> => {
    const validated = await validate(command.input, (input ?? {}) as Readonly<Record<string, unknown>>);
    if ('problems' in validated) throw errors.validationFailed({ reasons: describeProblems(validated.problems) });
    const reply = await execute(
      command,
      { input: validated.value, query: {}, caller: null, locate: async () => null },
      commandRuntime,
    );
    if (isApiError(reply)) throw reply;
    return reply;
  };
