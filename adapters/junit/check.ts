import { parseTimestamp } from '../../core/contract/dates.js';
import { isStorable } from '../../core/contract/validation.js';
import { type ExecutionInput, longest } from '../../core/host/tests/input.js';

/** A run that reports tell of. */
export interface TestRun {
  readonly commit: string;
  readonly branch: string;
  /** ISO 8601; for executions whose report names no time. Absent: when they are recorded. */
  readonly at?: string;
}

const results = ['passed', 'failed', 'skipped'];
const required = ['name', 'commit', 'branch'];

/** An execution with nothing in it but the fields of one; an error that begins with its name if it cannot be recorded. */
export function checked(given: Readonly<Record<string, unknown>>, named: string): ExecutionInput {
  const texts: Record<string, string> = {};
  for (const [field, limit] of Object.entries(longest)) {
    const text = given[field];
    if (text === undefined && !required.includes(field)) continue;
    if (text === undefined || text === '') {
      if (required.includes(field)) throw new Error(`${named} has no ${field}`);
    } else if (typeof text !== 'string') throw new Error(`The ${field} of ${lower(named)} is not a string`);
    else if (text.length > limit) throw new Error(`The ${field} of ${lower(named)} is longer than ${limit} characters`);
    else if (!isStorable(text))
      throw new Error(`The ${field} of ${lower(named)} has a character that cannot be stored`);
    texts[field] = text as string;
  }
  const { result, at } = given;
  if (!results.includes(result as string))
    throw new Error(`The result of ${lower(named)} is none of ${results.join(', ')}`);
  if (at !== undefined && (typeof at !== 'string' || parseTimestamp(at) === undefined)) {
    throw new Error(`The time of ${lower(named)} is not an ISO 8601 date or date-time`);
  }
  return { ...texts, result, ...(at === undefined ? {} : { at }) } as ExecutionInput;
}

const lower = (named: string) => named.charAt(0).toLowerCase() + named.slice(1);
