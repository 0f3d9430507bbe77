import type { ExecutionInput } from '../../core/runtime/test-executions/execution-input.js';
import { decode } from './decode.js';
import { parseJUnit } from './junit.js';
import { type TestRun, validateExecution } from './validate-execution.js';

/** The supported report formats. */
export const formats = ['junit', 'json'] as const;
export type Format = (typeof formats)[number];

/**
 * Reads test executions in one of the formats. `json` is an array of executions, or an object with such an array as `executions`,
 * with the fields that `runtime.tests.record` takes. Commit, branch and time default to those of the run.
 * Throws an `Error` that says what is wrong with the document.
 */
export function readExecutions(format: Format, bytes: string | Uint8Array, run: TestRun): ExecutionInput[] {
  if (format === 'junit') return parseJUnit(bytes, run);
  if (format !== 'json') throw new TypeError(`There is no format ${format}: only ${formats.join(' and ')}`);
  const value = parseJson(typeof bytes === 'string' ? bytes : decode(bytes));
  const list: unknown = Array.isArray(value) ? value : (value as { executions?: unknown } | null)?.executions;
  if (!Array.isArray(list)) throw new Error('The document is neither an array nor an object with "executions"');
  return list.map((item: unknown, index) => {
    const label = `Execution ${index + 1}`;
    if (typeof item !== 'object' || item === null || Array.isArray(item)) throw new Error(`${label} is not an object`);
    return validateExecution({ ...run, ...item }, label);
  });
}

function parseJson(text: string): unknown {
  const document = text.startsWith('\ufeff') ? text.slice(1) : text;
  if (document.trim() === '') throw new Error('The document is empty');
  try {
    return JSON.parse(document);
  } catch (error) {
    throw new Error(`The document is not JSON: ${error instanceof Error ? error.message : error}`);
  }
}
