import { createHash } from 'node:crypto';
import { parseTimestamp } from '../../contract/dates.js';
import { invalid, type Refusal } from '../../contract/refusal.js';
import { choice, type Infer, open, optional, text } from '../../contract/schema.js';
import { humanize, validate } from '../../contract/validation.js';
import type { Timestamp } from '../../model/index.js';

/** The longest text that each field of an execution can have. */
export const longest = { scope: 10_000, name: 10_000, location: 10_000, file_name: 10_000, commit: 255, branch: 255 };

const long = (field: keyof typeof longest, minLength = 0) => text({ maxLength: longest[field], minLength });

const ExecutionInput = open({
  scope: optional(long('scope')),
  name: long('name', 1),
  location: optional(long('location')),
  file_name: optional(long('file_name')),
  result: choice(['passed', 'failed', 'skipped']),
  commit: long('commit', 1),
  branch: long('branch', 1),
  at: optional(text({ description: 'ISO 8601; absent: now' })),
});

/** One run of one test, as a collector reports it. Absent texts are empty; an absent time is now. */
export type ExecutionInput = Infer<typeof ExecutionInput>;

/** One run of one test, read. */
export interface Execution {
  readonly scope: string;
  readonly name: string;
  readonly location: string;
  readonly file_name: string;
  readonly result: 'passed' | 'failed' | 'skipped';
  readonly commit: string;
  readonly branch: string;
  readonly at: Timestamp;
  /** SHA-256 of scope and name: what the test is known by. */
  readonly identity: string;
}

/** Reads executions, all of them or none: the first that is wrong is told with its place in the list. */
export async function readExecutions(given: unknown, now: Timestamp): Promise<Execution[] | Refusal> {
  if (!Array.isArray(given)) return invalid('Executions must be an array');
  const executions: Execution[] = [];
  for (const [place, one] of given.entries()) {
    const named = `Executions[${place}]`;
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return invalid(`${named} must be an object`);
    const read = await validate(ExecutionInput, one);
    if ('problems' in read) {
      return invalid(
        ...read.problems.map(({ field, reason }) => `${named} ${humanize(field).toLowerCase()} ${reason}`),
      );
    }
    const { scope = '', name, location = '', file_name = '', result, commit, branch } = read.value;
    const at = read.value.at === undefined ? now : parseTimestamp(read.value.at);
    if (at === undefined) return invalid(`${named} at must be an ISO 8601 date or date-time`);
    const identity = createHash('sha256').update(`${scope}\u0000${name}`).digest('hex');
    executions.push({ scope, name, location, file_name, result, commit, branch, at, identity });
  }
  return executions;
}
