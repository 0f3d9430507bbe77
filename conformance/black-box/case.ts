import type { Scope } from '../../core/model/scopes.js';
import type { Operation } from '../../core/operations/contract/operation.js';
import { type ResolverName, resolvers } from '../../core/operations/contract/resolvers.js';
import type { Case } from '../case.js';
import { placeholdersOf } from '../service/example-requests.js';
import type { RunningService } from './running-service.js';

/** A test of a service that runs already. It finds its records there, and leaves the service as it was. */
export type BlackBoxCase = Case<RunningService>;

/** That a case may make, change and delete records of its own. */
export const writeAccess = 'leave to write';
/** That a case may make builds, which stay, in a pipeline that is named. */
export const buildAccess = 'a pipeline whose builds may be more';
/** That the token has a scope. */
export const needsScope = (scope: Scope): string => `the scope ${scope}`;
/** That there is a record of that kind. */
export const needsRecord = (name: ResolverName): string => `some ${resolvers[name].label} to look at`;
/** That there is a scope which the token does not have. */
export const limitedToken = 'a token that lacks a scope';

/** What has to be there for an operation to be asked for: a scope, and a record for each placeholder. */
export const needsOf = ({ scope, path }: Operation): string[] => [
  ...(scope === null ? [] : [needsScope(scope)]),
  ...placeholdersOf(path)
    .filter((name) => name !== 'organization')
    .map((name) => needsRecord(name as ResolverName)),
];

/** Declares a case. */
export const blackBoxCase = (
  id: string,
  cites: readonly string[],
  needs: readonly string[],
  run: BlackBoxCase['run'],
): BlackBoxCase => ({ id: `black-box.${id}`, cites: cites.join('; '), needs, run });
