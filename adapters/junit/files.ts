import { readFile } from 'node:fs/promises';
import type { ExecutionInput } from '../../core/runtime/test-executions/execution-input.js';
import { type Format, readExecutions } from './formats.js';
import type { TestRun } from './validate-execution.js';

export interface ReadFilesResult {
  /** Empty if any file has a problem, so that no incomplete run is recorded. */
  readonly executions: readonly ExecutionInput[];
  /** One sentence per invalid file, beginning with its path. */
  readonly problems: readonly string[];
}

/** Reads all files of a run in the order of `paths`. Patterns are not expanded: the shell does that. */
export async function readFiles(paths: readonly string[], format: Format, run: TestRun): Promise<ReadFilesResult> {
  const executions: ExecutionInput[] = [];
  const problems: string[] = [];
  for (const path of paths) {
    try {
      for (const execution of readExecutions(format, await readBytes(path), run)) executions.push(execution);
    } catch (error) {
      problems.push(`${path}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return { executions: problems.length > 0 ? [] : executions, problems };
}

const errorMessages: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file',
  EISDIR: 'It is a directory',
  EACCES: 'It may not be read',
};

async function readBytes(path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new Error(errorMessages[code] ?? `It cannot be read: ${message}`, { cause: error });
  }
}
