import { scopes } from '../../core/contract/operation.js';
import type { ResolverName } from '../../core/contract/resolvers.js';
import { systemIds } from '../../core/system.js';
import { type Level, level } from '../runner/level.js';
import { serviceCases } from '../service/index.js';
import type { Address } from './address.js';
import { building, limited, record, scoped, writing } from './case.js';
import { blackBoxCases } from './cases/index.js';
import { overConnections } from './connections.js';
import { introduced } from './introduction.js';
import { openFor, type Reached } from './running.js';

/** A running service, and what may be done with it. */
export interface ServiceUnderTest {
  readonly address: Address;
  /** An access token of an admin of the organization; one that may do less tests less. */
  readonly token: string;
  /** The slug of the organization to look at. */
  readonly organization: string;
  /** Only cases that never write. Default: false. */
  readonly readOnly?: boolean;
  /** The slug of a pipeline in which builds may be made. They stay: the API cannot delete builds. Default: none are made. */
  readonly pipeline?: string;
}

/** A service that runs already, from outside: nothing is known of it but its answers. */
export function blackBoxLevel({ address, token, organization, readOnly = false, pipeline }: ServiceUnderTest): Level {
  const mark = systemIds.secret(6).toLowerCase();
  const wire = overConnections(address);
  let reached: Promise<Reached> | undefined;
  const reach = (): Promise<Reached> => {
    reached ??= introduced(wire, { address, token, organization, pipeline, mark });
    return reached;
  };
  return {
    ...level(
      'black-box',
      blackBoxCases,
      async () => openFor(await reach()),
      async () => {
        const { landmarks, scopes: held } = await reach();
        return [
          ...(readOnly ? [] : [writing]),
          ...(readOnly || pipeline === undefined ? [] : [building]),
          ...held.map(scoped),
          ...(held.length < scopes.length ? [limited] : []),
          ...Object.keys(landmarks).map((name) => record(name as ResolverName)),
        ];
      },
    ),
    whyNot: (lacking) => `needs ${lacking.join(' and ')}`,
  };
}

/** The cases that make services of their own, which nobody can do from outside: all of them are skipped, and so are counted. */
export const outOfReachLevel: Level = {
  ...level(
    'service',
    serviceCases,
    () => Promise.reject(new Error('There is no way to make a service')),
    async () => [],
  ),
  whyNot: () =>
    'needs a service that the suite makes, with fixtures, calls of the host and a clock: not to be had over a URL',
};
