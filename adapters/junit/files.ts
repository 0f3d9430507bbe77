import { readFile } from 'node:fs/promises';
import type { ExecutionInput } from '../../core/host/tests/input.js';
import type { TestRun } from './check.js';
import { type Format, readExecutions } from './formats.js';

export interface FilesRead {
  /** Empty if any file is bad: half a run should not be recorded. */
  readonly executions: readonly ExecutionInput[];
  /** What is wrong, one sentence for each bad file, beginning with its path. */
  readonly problems: readonly string[];
}

/** Reads all files of a run, in the order given. Patterns are the shell's work. */
export async function readFiles(paths: readonly string[], format: Format, run: TestRun): Promise<FilesRead> {
  const executions: ExecutionInput[] = [];
  const problems: string[] = [];
  for (const path of paths) {
    try {
      for (const execution of readExecutions(format, await bytesOf(path), run)) executions.push(execution);
    } catch (error) {
      problems.push(`${path}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return { executions: problems.length > 0 ? [] : executions, problems };
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file',
  EISDIR: 'It is a directory',
  EACCES: 'It may not be read',
};

async function bytesOf(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new Error(reasons[code] ?? `It cannot be read: ${message}`, { cause: error });
  }
}
