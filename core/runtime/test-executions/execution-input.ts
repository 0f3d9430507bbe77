import { createHash } from 'node:crypto';
import { type ApiError, errors } from '../../errors/index.js';
import type { Timestamp } from '../../model/index.js';
import { enumeration, looseObject, optional, string } from '../../schema/schema.js';
import { parseTimestamp } from '../../schema/timestamps.js';
import { humanize, validate } from '../../schema/validation.js';

/** The longest text that each field of an execution can have. */
export const maxLengths = {
  scope: 10_000,
  name: 10_000,
  location: 10_000,
  file_name: 10_000,
  commit: 255,
  branch: 255,
};

const boundedString = (field: keyof typeof maxLengths, minLength = 0) =>
  string({ maxLength: maxLengths[field], minLength });

const executionSchema = looseObject({
  scope: optional(boundedString('scope')),
  name: boundedString('name', 1),
  location: optional(boundedString('location')),
  file_name: optional(boundedString('file_name')),
  result: enumeration(['passed', 'failed', 'skipped']),
  commit: boundedString('commit', 1),
  branch: boundedString('branch', 1),
  at: optional(string({ description: 'ISO 8601; absent: now' })),
});

/** One run of one test, as a collector reports it. */
export interface ExecutionInput {
  /** The group of the test, such as the names of its describe blocks. Default: empty. */
  readonly scope?: string;
  readonly name: string;
  /** File and line. Default: empty. */
  readonly location?: string;
  /** Default: empty. */
  readonly file_name?: string;
  readonly result: 'passed' | 'failed' | 'skipped';
  readonly commit: string;
  readonly branch: string;
  /** When the test ran, in ISO 8601. Default: now. */
  readonly at?: string;
}

/** One run of one test, validated. */
export interface Execution {
  readonly scope: string;
  readonly name: string;
  readonly location: string;
  readonly file_name: string;
  readonly result: 'passed' | 'failed' | 'skipped';
  readonly commit: string;
  readonly branch: string;
  readonly at: Timestamp;
  /** SHA-256 of scope and name, which identify the test. */
  readonly identity: string;
}

/** Validates executions, all of them or none. The error names the index of the first invalid execution. */
export async function parseExecutions(rawExecutions: unknown, now: Timestamp): Promise<Execution[] | ApiError> {
  if (!Array.isArray(rawExecutions)) return errors.validationFailed({ reasons: 'Executions must be an array' });
  const executions: Execution[] = [];
  for (const [index, rawExecution] of rawExecutions.entries()) {
    const path = `Executions[${index}]`;
    if (typeof rawExecution !== 'object' || rawExecution === null || Array.isArray(rawExecution))
      return errors.validationFailed({ reasons: `${path} must be an object` });
    const validated = await validate(executionSchema, rawExecution);
    if ('problems' in validated) {
      const reasons = validated.problems.map(
        ({ field, reason }) => `${path} ${humanize(field).toLowerCase()} ${reason}`,
      );
      return errors.validationFailed({ reasons: reasons.join(', ') });
    }
    const { scope = '', name, location = '', file_name = '', result, commit, branch } = validated.value;
    const at = validated.value.at === undefined ? now : parseTimestamp(validated.value.at);
    if (at === undefined)
      return errors.validationFailed({ reasons: `${path} at must be an ISO 8601 date or date-time` });
    const identity = createHash('sha256').update(`${scope}\u0000${name}`).digest('hex');
    executions.push({ scope, name, location, file_name, result, commit, branch, at, identity });
  }
  return executions;
}
