import { parseArgs } from 'node:util';
import { UsageError } from './usage-error.js';

/** An option of a command. */
export interface Option {
  readonly type: 'string' | 'boolean';
  /** Placeholder of the value in the help: `N`, `FILE`. */
  readonly value?: string;
  readonly help: string;
  /** Whether the option may be repeated. */
  readonly many?: true;
}

export type Options = Readonly<Record<string, Option>>;

/** The parsed values: texts, lists of texts for repeatable options, and flags that are true or absent. */
export type OptionValues<O extends Options> = {
  readonly [K in keyof O]?: O[K]['type'] extends 'boolean'
    ? true
    : O[K] extends { readonly many: true }
      ? readonly string[]
      : string;
};

/** A command of the command line interface. */
export interface Command {
  /** `token issue` */
  readonly name: string;
  readonly summary: string;
  /** Names of the operands: `TOKEN_OR_ID`. `FILE…` as the last one stands for one or more. */
  readonly operands: readonly string[];
  readonly options: Options;
  /** Text at the end of the help. */
  readonly notes?: string;
  /** Resolves with the exit code if that is not 0. */
  run(args: readonly string[]): Promise<number | undefined>;
}

/** Declares a command. `run` receives the parsed options and the operands, whose number has been checked. */
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
    // Node's message goes on to explain how to pass arguments that begin with a dash; the first sentence states the error.
    throw new UsageError(error.message.split(/\. (?=[A-Z])|\n/, 1)[0] ?? error.message);
  }
}
