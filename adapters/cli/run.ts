import type { Command } from './command.js';
import { Complaint } from './complaint.js';
import { conformanceCommand } from './conformance.js';
import { helpFor, overview, version } from './help.js';
import { openapiCommand } from './openapi.js';
import { recordCommand } from './record.js';
import { serveCommand } from './serve.js';
import { issueCommand, revokeCommand } from './token.js';

const commands: readonly Command[] = [
  serveCommand,
  issueCommand,
  revokeCommand,
  recordCommand,
  openapiCommand,
  conformanceCommand,
];

/**
 * Runs the command line. Resolves with the exit code: 0, that of the command, or 2 when there is something to put right, which is then told in
 * one line on stderr. Other errors are bugs, and shown as they are.
 */
export async function run(args: readonly string[]): Promise<number> {
  try {
    return (await carryOut(args)) ?? 0;
  } catch (error) {
    if (!(error instanceof Complaint)) throw error;
    process.stderr.write(`millrace: ${error.message}\n`);
    return 2;
  }
}

async function carryOut(args: readonly string[]): Promise<number | undefined> {
  const { command, rest } = chosen(args);
  if (command) {
    if (!asksForHelp(rest)) return command.run(rest);
    process.stdout.write(helpFor(command));
  } else if (asksForHelp(args) || args[0] === 'help') {
    process.stdout.write(overview(commands));
  } else if (args[0] === '--version') {
    process.stdout.write(`${await version()}\n`);
  } else {
    throw new Complaint(
      `${args.length === 0 ? 'No command given' : `Unknown command '${args[0]}'`}; see millrace --help`,
    );
  }
  return undefined;
}

function chosen(args: readonly string[]): { readonly command: Command | undefined; readonly rest: readonly string[] } {
  for (const command of commands) {
    const words = command.name.split(' ');
    if (words.every((word, index) => args[index] === word)) return { command, rest: args.slice(words.length) };
  }
  return { command: undefined, rest: args };
}

/** `--help` wins over whatever else is given, unless it is the operand of something. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).some((arg) => arg === '--help' || arg === '-h');
}
