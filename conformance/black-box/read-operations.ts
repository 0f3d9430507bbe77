import assert, { AssertionError } from 'node:assert';
import type { ListOperation, Operation, ReadOperation } from '../../core/operations/contract/operation.js';
import { operations } from '../../core/operations/index.js';
import { HarnessError } from '../runner/failure.js';
import { fillPath } from '../service/example-requests.js';
import type { RunningService } from './running-service.js';

// biome-ignore lint/suspicious/noExplicitAny: answers are checked against their schema before anything looks at them
export type RenderedRecord = any;

export const listOperations = operations.filter((operation): operation is ListOperation => operation.form === 'list');
/** Operations that only look; asking for them changes nothing. */
export const getOperations = operations.filter(({ method }) => method === 'GET');

/** The operation that shows one record of a list, where there is one. */
export const readOperationOf = ({ path }: ListOperation): ReadOperation | undefined =>
  operations.find(
    (operation): operation is ReadOperation =>
      operation.form === 'read' &&
      operation.path.startsWith(`${path}/{`) &&
      !operation.path.slice(path.length + 1).includes('/'),
  );

/** The path of an operation among the records that are there. */
export const targetFor = ({ sampleRecords }: RunningService, { path }: Operation): string =>
  fillPath(path, sampleRecords);

/** What tells a record from the others of its list: its first field is its id. */
export const recordId = (rendered: RenderedRecord): string => String(Object.values(rendered)[0]);

/** Asks for what has to be there. */
export async function getBody(service: RunningService, target: string): Promise<RenderedRecord> {
  const { status, body } = await service.send('GET', target);
  assert.equal(status, 200, target);
  return body;
}

const attempts = 5;

/**
 * Tries something that only holds while a part of the service stands still, which others may be working with. `picture` is that
 * part: if it has changed while the attempt failed, the failure says nothing.
 */
export async function retryUntilUnchanged(
  snapshot: () => Promise<unknown>,
  attempt: () => Promise<void>,
): Promise<void> {
  for (let tried = 0; tried < attempts; tried += 1) {
    const before = JSON.stringify(await snapshot());
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof AssertionError) || JSON.stringify(await snapshot()) === before) throw error;
    }
  }
  throw new HarnessError(`The service never stood still for as long as ${attempts} attempts took`);
}
