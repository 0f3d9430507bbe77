import { entriesByCode } from '../../errors/index.js';
import type { Operation } from './operation.js';

/** The status of an answer when all is well. */
export const successStatus = (operation: Operation): 200 | 201 | 204 =>
  operation.form === 'command' ? operation.status : 200;

/** Statuses of server errors: a bug, or a database that is unavailable. */
export const serverErrorStatuses: readonly number[] = [500, 503];

/**
 * Every status that an operation can answer with, in ascending order, its success first. 404 and 405 of paths and methods
 * that are no operation's are not among them, nor is what a transport refuses before it asks the API.
 */
export function statusesOf(operation: Operation): readonly number[] {
  const { form, scope, path, errors = [] } = operation;
  const isCommand = form === 'command';
  const happens: readonly (readonly [status: number, happens: boolean])[] = [
    [successStatus(operation), true],
    // The query string of every operation is parsed, so a malformed escape is possible everywhere.
    [400, true],
    [401, form !== 'public'],
    [403, scope !== null || (isCommand && operation.right !== undefined)],
    [404, path.includes('{')],
    // A body is read for every command, even one that has no use for it.
    [409, isCommand],
    [413, isCommand],
    [415, isCommand],
    [422, isCommand && Object.keys(operation.body?.properties ?? {}).length > 0],
    [500, true],
    [503, form !== 'public'],
    ...errors.map((code) => [entriesByCode[code].status, true] as const),
  ];
  const statuses = happens.flatMap(([status, does]) => (does ? [status] : []));
  return [...new Set(statuses)].sort((a, b) => a - b);
}
