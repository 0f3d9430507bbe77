export { filteredState, isInState, type StateFilter, stateFilter } from './build-states.js';
export { type Operation, type Parameter, placeholdersOf, statusesOf } from './operation.js';
export { operations } from './operations/index.js';
export { type PathParameter, pathParameters } from './path-parameters.js';
export { operationOf, pathOf } from './routes.js';
export type { Schema } from './schema.js';
export { ErrorBody } from './schemas/error.js';
export { type Scope, scopes } from './scopes.js';
export { schemaViolations } from './validation.js';
