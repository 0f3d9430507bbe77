import { type Operation, operations, placeholdersOf } from '../api/index.js';
import { exampleBodies, examplePathParams } from './example-values.js';
import { fetchRecords } from './records.js';
import type { Service } from './service.js';

/**
 * A request for every operation that succeeds with `organizationFixture('acme')`. Generated cases change it to be invalid. An
 * operation without an example fails the suite.
 */
export interface ExampleRequest {
  readonly operation: Operation;
  /** The values of the path placeholders. */
  readonly pathParams: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** Examples of all operations, with ids that are read from the service. */
export async function exampleRequests(service: Service): Promise<ExampleRequest[]> {
  const records = await fetchRecords(service, 'acme');
  const bodies = exampleBodies(records);
  return operations.map((operation) => {
    const body = bodies[operation.id];
    const pathParams = examplePathParams(operation.id, records);
    for (const name of placeholdersOf(operation.path)) {
      if (!(name in pathParams))
        throw new Error(`{${name}} has no example: add one to conformance/service/example-values.ts`);
    }
    return { operation, pathParams, ...(body ? { body } : {}) };
  });
}

/** Replaces the placeholders of a path. */
export const fillPath = (path: string, pathParams: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(pathParams[name] ?? ''));

export const targetOf = ({ operation, pathParams }: ExampleRequest): string => fillPath(operation.path, pathParams);

/**
 * The commands among them, in an order in which one service can carry out all of them: agents stop when no build needs them any
 * more, records are deleted at the end and before those that they belong to, and the token of the requests goes last. To make a
 * service for each command took most of the time of the suite.
 */
export const commandSequence = (examples: readonly ExampleRequest[]): ExampleRequest[] =>
  examples
    .filter(({ operation }) => operation.form === 'command')
    .toSorted((one, other) => commandRank(one.operation) - commandRank(other.operation));

function commandRank({ id, method, path }: Operation): number {
  if (id === 'accessToken.revoke') return 0;
  if (method === 'DELETE') return -placeholdersOf(path).length;
  return id === 'agents.stop' ? -100 : -200;
}

/** Whether asking twice comes to the same: what a case may ask again and again. */
export const isRead = (operation: Operation): boolean => operation.method === 'GET';
