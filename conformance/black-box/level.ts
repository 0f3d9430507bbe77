import { systemIds } from '../../core/system.js';
import { type PathParameter, scopes } from '../api/index.js';
import { type Level, level } from '../runner/level.js';
import { serviceCases } from '../service/index.js';
import type { Address } from './address.js';
import { buildAccess, limitedToken, needsRecord, needsScope, writeAccess } from './case.js';
import { blackBoxCases } from './cases/index.js';
import { connectionPerRequest } from './connection-per-request.js';
import { probeService } from './probe.js';
import { type ConnectedService, openForCase } from './running-service.js';

/** A running service, and what the cases may do with it. */
export interface ServiceUnderTest {
  readonly address: Address;
  /** An access token of an admin of the organization. With fewer rights or scopes, fewer cases run. */
  readonly token: string;
  /** The slug of the organization that is tested. */
  readonly organization: string;
  /** Run only cases that never write. Default: false. */
  readonly readOnly?: boolean;
  /** The slug of a pipeline in which cases may create builds. The API cannot delete builds. Default: no builds are created. */
  readonly pipeline?: string;
}

/** The level that tests a running service over its URL, without access to its storage or clock. */
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
        const { sampleRecords, scopes: tokenScopes } = await probeOnce();
        return [
          ...(readOnly ? [] : [writeAccess]),
          ...(readOnly || pipeline === undefined ? [] : [buildAccess]),
          ...tokenScopes.map(needsScope),
          ...(tokenScopes.length < scopes.length ? [limitedToken] : []),
          ...Object.keys(sampleRecords).map((name) => needsRecord(name as PathParameter)),
        ];
      },
    ),
    skipReason: (unmetNeeds) => `needs ${unmetNeeds.join(' and ')}`,
  };
}

/** The cases that create their own services, which is impossible over a URL. All are reported as skipped. */
export const skippedServiceLevel: Level = {
  ...level(
    'service',
    serviceCases,
    () => Promise.reject(new Error('The suite cannot create a service over a URL')),
    async () => [],
  ),
  skipReason: () =>
    'needs a service that the suite creates, with fixtures, runtime calls and a clock: not available over a URL',
};
