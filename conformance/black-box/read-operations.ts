import assert, { AssertionError } from 'node:assert';
import { type Operation, operations } from '../api/index.js';
import { HarnessError } from '../runner/failure.js';
import { fillPath } from '../service/example-requests.js';
import type { RunningService } from './running-service.js';

// biome-ignore lint/suspicious/noExplicitAny: responses are checked against their schema before the cases read them
export type RenderedRecord = any;

export const listOperations = operations.filter(({ form }) => form === 'list');
/** Operations that change nothing. */
export const getOperations = operations.filter(({ method }) => method === 'GET');

/** The operation that reads one record of a list, if there is one. */
export const readOperationOf = ({ path }: Operation): Operation | undefined =>
  operations.find(
    (operation) =>
      operation.form === 'read' &&
      operation.path.startsWith(`${path}/{`) &&
      !operation.path.slice(path.length + 1).includes('/'),
  );

/** The path of an operation, filled with existing records. */
export const targetFor = ({ sampleRecords }: RunningService, { path }: Operation): string =>
  fillPath(path, sampleRecords);

/** The id of a rendered record: its first field. */
export const recordId = (rendered: RenderedRecord): string => String(Object.values(rendered)[0]);

/** Fetches a target that must answer 200. */
export async function getBody(service: RunningService, target: string): Promise<RenderedRecord> {
  const { status, body } = await service.send('GET', target);
  assert.equal(status, 200, target);
  return body;
}

const attempts = 5;

/**
 * Runs a check that is valid only while other clients do not change the data it reads. `snapshot` fetches that data: if it changed
 * during a failed attempt, the failure says nothing and the attempt is repeated.
 */
export async function retryUntilUnchanged(
  snapshot: () => Promise<unknown>,
  attempt: () => Promise<void>,
): Promise<void> {
  for (let index = 0; index < attempts; index += 1) {
    const before = JSON.stringify(await snapshot());
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof AssertionError) || JSON.stringify(await snapshot()) === before) throw error;
    }
  }
  throw new HarnessError(`The data kept changing during ${attempts} attempts`);
}
