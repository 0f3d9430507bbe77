import { type CommandEntry, commandEntries } from './commands.js';
import { helpFor, overview, version } from './help.js';
import { UsageError } from './usage-error.js';

/**
 * Runs the command line. Resolves with the exit code: 0, that of the command, or 2 after a usage error, which is printed in one
 * line on stderr. Other errors are bugs and are thrown.
 */
export async function run(args: readonly string[]): Promise<number> {
  try {
    return (await runCommand(args)) ?? 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`millrace: ${error.message}\n`);
    return 2;
  }
}

async function runCommand(args: readonly string[]): Promise<number | undefined> {
  const { entry, rest } = matchCommand(args);
  if (entry) {
    const command = await entry.load();
    if (!asksForHelp(rest)) return command.run(rest);
    process.stdout.write(helpFor(command));
  } else if (asksForHelp(args) || args[0] === 'help') {
    process.stdout.write(overview(await Promise.all(commandEntries.map(({ load }) => load()))));
  } else if (args[0] === '--version') {
    process.stdout.write(`${await version()}\n`);
  } else {
    throw new UsageError(
      `${args.length === 0 ? 'No command given' : `Unknown command '${args[0]}'`}; see millrace --help`,
    );
  }
  return undefined;
}

function matchCommand(args: readonly string[]): {
  readonly entry: CommandEntry | undefined;
  readonly rest: readonly string[];
} {
  for (const entry of commandEntries) {
    const words = entry.name.split(' ');
    if (words.every((word, index) => args[index] === word)) return { entry, rest: args.slice(words.length) };
  }
  return { entry: undefined, rest: args };
}

/** Whether `--help` is among the arguments before `--`. It takes precedence over all other arguments. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).some((arg) => arg === '--help' || arg === '-h');
}
