import { scopes } from '../../core/model/scopes.js';
import type { ResolverName } from '../../core/operations/contract/resolvers.js';
import { systemIds } from '../../core/system.js';
import { type Level, level } from '../runner/level.js';
import { serviceCases } from '../service/index.js';
import type { Address } from './address.js';
import { buildAccess, limitedToken, needsRecord, needsScope, writeAccess } from './case.js';
import { blackBoxCases } from './cases/index.js';
import { connectionPerRequest } from './connection-per-request.js';
import { probeService } from './probe.js';
import { type ConnectedService, openForCase } from './running-service.js';

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
  const runId = systemIds.secret(6).toLowerCase();
  const wire = connectionPerRequest(address);
  let connectedService: Promise<ConnectedService> | undefined;
  const probeOnce = (): Promise<ConnectedService> => {
    connectedService ??= probeService(wire, { address, token, organization, pipeline, runId });
    return connectedService;
  };
  return {
    ...level(
      'black-box',
      blackBoxCases,
      async () => openForCase(await probeOnce()),
      async () => {
        const { sampleRecords, scopes: held } = await probeOnce();
        return [
          ...(readOnly ? [] : [writeAccess]),
          ...(readOnly || pipeline === undefined ? [] : [buildAccess]),
          ...held.map(needsScope),
          ...(held.length < scopes.length ? [limitedToken] : []),
          ...Object.keys(sampleRecords).map((name) => needsRecord(name as ResolverName)),
        ];
      },
    ),
    skipReason: (unmetNeeds) => `needs ${unmetNeeds.join(' and ')}`,
  };
}

/** The cases that make services of their own, which nobody can do from outside: all of them are skipped, and so are counted. */
export const skippedServiceLevel: Level = {
  ...level(
    'service',
    serviceCases,
    () => Promise.reject(new Error('There is no way to make a service')),
    async () => [],
  ),
  skipReason: () =>
    'needs a service that the suite makes, with fixtures, calls of the host and a clock: not to be had over a URL',
};
