import { type ExecutionInput, maxLengths } from '../../core/runtime/test-executions/execution-input.js';
import { parseTimestamp } from '../../core/schema/timestamps.js';
import { isStorable } from '../../core/schema/validation.js';

/** The test run that reports belong to. */
export interface TestRun {
  readonly commit: string;
  readonly branch: string;
  /** ISO 8601. The time of executions without a timestamp. Default: the time of recording. */
  readonly at?: string;
}

const results = ['passed', 'failed', 'skipped'];
const required = ['name', 'commit', 'branch'];

/** Returns an execution with its known fields only. Throws an error that names the execution by `label` if it is invalid. */
export function validateExecution(input: Readonly<Record<string, unknown>>, label: string): ExecutionInput {
  const texts: Record<string, string> = {};
  for (const [field, limit] of Object.entries(maxLengths)) {
    const text = input[field];
    if (text === undefined && !required.includes(field)) continue;
    if (text === undefined || text === '') {
      if (required.includes(field)) throw new Error(`${label} has no ${field}`);
    } else if (typeof text !== 'string') throw new Error(`The ${field} of ${lowerFirst(label)} is not a string`);
    else if (text.length > limit)
      throw new Error(`The ${field} of ${lowerFirst(label)} is longer than ${limit} characters`);
    else if (!isStorable(text))
      throw new Error(`The ${field} of ${lowerFirst(label)} has a character that cannot be stored`);
    texts[field] = text as string;
  }
  const { result, at } = input;
  if (!results.includes(result as string))
    throw new Error(`The result of ${lowerFirst(label)} is none of ${results.join(', ')}`);
  if (at !== undefined && (typeof at !== 'string' || parseTimestamp(at) === undefined)) {
    throw new Error(`The time of ${lowerFirst(label)} is not an ISO 8601 date or date-time`);
  }
  return { ...texts, result, ...(at === undefined ? {} : { at }) } as ExecutionInput;
}

const lowerFirst = (label: string) => label.charAt(0).toLowerCase() + label.slice(1);
