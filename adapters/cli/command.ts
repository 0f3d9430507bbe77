import { parseArgs } from 'node:util';
import { UsageError } from './usage-error.js';

/** An option of a command as its help shows it. */
export interface Option {
  readonly type: 'string' | 'boolean';
  /** What stands for the value in the help: `N`, `FILE`. */
  readonly value?: string;
  readonly help: string;
  /** Whether it may be given several times. */
  readonly many?: true;
}

export type Options = Readonly<Record<string, Option>>;

/** What was given: texts, lists of them where an option may be repeated, and flags that are true or absent. */
export type OptionValues<O extends Options> = {
  readonly [K in keyof O]?: O[K]['type'] extends 'boolean'
    ? true
    : O[K] extends { readonly many: true }
      ? readonly string[]
      : string;
};

/** A command of the command line. The list of them is the command line. */
export interface Command {
  /** `token issue` */
  readonly name: string;
  readonly summary: string;
  /** What stands behind the name in the help, besides options: `TOKEN_OR_ID`; `FILE…` at the end stands for one or more. */
  readonly operands: readonly string[];
  readonly options: Options;
  /** What else its help says, at the end. */
  readonly notes?: string;
  /** Resolves with the exit code if that is not 0. */
  run(args: readonly string[]): Promise<number | undefined>;
}

/** Declares a command; `run` gets its options and operands, read and counted. */
export function command<const O extends Options>(
  declaration: Omit<Command, 'run'> & { readonly options: O },
  run: (values: OptionValues<O>, operands: readonly string[]) => Promise<number> | Promise<void>,
): Command {
  return { ...declaration, run: async (args) => (await run(...parseArguments(declaration, args))) || undefined };
}

function parseArguments<O extends Options>(
  { name, options, operands }: Omit<Command, 'run'> & { readonly options: O },
  args: readonly string[],
): [OptionValues<O>, readonly string[]] {
  const { values, positionals, tokens } = parseTokens(options, args);
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const once = options[token.name]?.many !== true;
    if (once && tokens.some((other) => other !== token && other.kind === 'option' && other.name === token.name)) {
      throw new UsageError(`Option --${token.name} is given more than once`);
    }
    if (token.value === '') throw new UsageError(`Option --${token.name} needs a value`);
  }
  const isVariadic = operands.at(-1)?.endsWith('…') === true;
  if (positionals.length > operands.length && !isVariadic) {
    throw new UsageError(`Unexpected argument '${positionals[operands.length]}'; see millrace ${name} --help`);
  }
  const missing = operands[positionals.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing; see millrace ${name} --help`);
  return [values as OptionValues<O>, positionals];
}

function parseTokens(options: Options, args: readonly string[]) {
  const types = Object.fromEntries(
    Object.entries(options).map(([name, { type, many = false }]) => [name, { type, multiple: many }]),
  );
  try {
    return parseArgs({ args: [...args], options: types, strict: true, allowPositionals: true, tokens: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Node explains at length how to pass an argument that begins with a dash; the first sentence says what is wrong.
    throw new UsageError(error.message.split(/\. (?=[A-Z])|\n/, 1)[0] ?? error.message);
  }
}
