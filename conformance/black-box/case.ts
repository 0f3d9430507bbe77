import { type Operation, type PathParameter, pathParameters, placeholdersOf, type Scope } from '../api/index.js';
import type { Case } from '../case.js';
import type { RunningService } from './running-service.js';

/** A test of a service that is already running. The case uses records that exist there, and restores what it changes. */
export type BlackBoxCase = Case<RunningService>;

/** Need of cases that create, change and delete their own records. */
export const writeAccess = 'write access';
/** Need of cases that create builds, which cannot be deleted, in a pipeline named by the user. */
export const buildAccess = 'a pipeline for test builds';
/** Need of cases whose token must have a scope. */
export const needsScope = (scope: Scope): string => `the scope ${scope}`;
/** Need of cases that read an existing record of a kind. */
export const needsRecord = (name: PathParameter): string => `an existing ${pathParameters[name]}`;
/** Need of cases that test the refusal of a missing scope. */
export const limitedToken = 'a token without some scope';

/** What a request for an operation needs: its scope, and a record for each placeholder of its path. */
export const needsOf = ({ scope, path }: Operation): string[] => [
  ...(scope === null ? [] : [needsScope(scope)]),
  ...placeholdersOf(path)
    .filter((name) => name !== 'organization')
    .map((name) => needsRecord(name)),
];

/** Declares a case. */
export const blackBoxCase = (
  id: string,
  cites: readonly string[],
  needs: readonly string[],
  run: BlackBoxCase['run'],
): BlackBoxCase => ({ id: `black-box.${id}`, cites: cites.join('; '), needs, run });
