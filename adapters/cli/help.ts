import { readFile } from 'node:fs/promises';
import type { Command } from './command.js';

/** The help for all commands. */
export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length)) + 2;
  return [
    "Millrace: a CI platform's REST API.",
    '',
    'Usage: millrace COMMAND [options]',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}${summary}`),
    '',
    '  millrace COMMAND --help   shows the options of a command',
    '  millrace --version',
    '',
  ].join('\n');
}

/** The help for one command. */
export function helpFor({ name, summary, operands, options, notes }: Command): string {
  const lines = Object.entries(options).map(([option, { value, help }]) => {
    return { left: `--${option}${value === undefined ? '' : ` ${value}`}`, help };
  });
  const width = Math.max(...lines.map(({ left }) => left.length), 6) + 2;
  return [
    `Usage: millrace ${[name, ...operands].join(' ')} [options]`,
    '',
    summary,
    '',
    ...[...lines, { left: '--help', help: 'Shows this text' }].map(({ left, help }) => {
      return `  ${left.padEnd(width)}${help.replaceAll('\n', `\n  ${' '.repeat(width)}`)}`;
    }),
    ...(notes === undefined ? [] : ['', notes]),
    '',
  ].join('\n');
}

/** The version in package.json, whose folder contains `dist`. */
export async function version(): Promise<string> {
  const text = await readFile(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
