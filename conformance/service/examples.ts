import type { Operation } from '../../core/contract/operation.js';
import { operations } from '../../core/operations/index.js';
import { bodiesFor, placesFor } from './examples-of-resources.js';
import { recordsOf } from './records.js';
import type { Service } from './service.js';

/**
 * A request for every operation that succeeds in the world of `organizationFixture('acme')`: what generated cases spoil in
 * one way or another. An operation without one fails the suite, so that none is forgotten.
 */
export interface Example {
  readonly operation: Operation;
  /** What stands in the path, by placeholder. */
  readonly places: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** Examples of all operations; ids are asked of the service. */
export async function examplesIn(service: Service): Promise<Example[]> {
  const records = await recordsOf(service, 'acme');
  const bodies = bodiesFor(records);
  return operations.map((operation) => {
    const body = bodies[operation.id];
    const places = placesFor(operation.id, records);
    for (const name of placeholdersOf(operation.path)) {
      if (!(name in places))
        throw new Error(`No example of {${name}}: add one to conformance/service/examples-of-resources.ts`);
    }
    return { operation, places, ...(body ? { body } : {}) };
  });
}

export const placeholdersOf = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** A path with values in the place of its placeholders. */
export const fill = (path: string, places: Readonly<Record<string, string>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(places[name] ?? ''));

export const targetOf = ({ operation, places }: Example): string => fill(operation.path, places);

/** The status of an operation's success. */
export const successOf = (operation: Operation): number => (operation.form === 'command' ? operation.status : 200);

/** Whether asking twice comes to the same: what a case may ask again and again. */
export const isReading = (operation: Operation): boolean => operation.method === 'GET';
