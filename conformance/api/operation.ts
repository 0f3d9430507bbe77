import type { PathParameter } from './path-parameters.js';
import type { Schema } from './schema.js';
import type { Scope } from './scopes.js';

/**
 * One operation of the API, as the suite expects it. This description is data of the suite: it is written by hand and never derived
 * from the code under test, so that a wrong status or schema there is found. A change of the API changes it too (`api.test.ts`).
 */
export interface Operation {
  readonly id: string;
  /** `public`: without authentication. `command`: changes something. */
  readonly form: 'public' | 'list' | 'read' | 'command';
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Other methods with the same effect (decisions 1). */
  readonly alsoMethods?: readonly Operation['method'][];
  readonly path: string;
  /** Other paths with the same effect. */
  readonly alsoPaths?: readonly string[];
  /** The required scope of the token. Null: any valid token, or none for the form `public`. */
  readonly scope: Scope | null;
  /** A right that the caller needs in addition to the scope (decisions 12). */
  readonly right?: 'stop_agents';
  readonly success: 200 | 201 | 204;
  /** All statuses of errors. */
  readonly errors: readonly number[];
  /** A list in one response unless the request has `page` or `per_page` (decisions 3). */
  readonly unpaged?: true;
  readonly query?: Readonly<Record<string, Parameter>>;
  /** The schema of the request body. Absent where no property of a body is read. */
  readonly body?: Schema;
  /** The schema of the response body of a success. Absent where it is empty. */
  readonly reply?: Schema;
}

/** A query parameter. */
export interface Parameter {
  /** The notation: `name=v`; `name=v` or `name[]=v`, repeated; `name[key]=v`, repeated. */
  readonly form: 'single' | 'array' | 'map';
  readonly schema: Schema;
}

/** All statuses of an operation. */
export const statusesOf = ({ success, errors }: Operation): readonly number[] => [success, ...errors];

/** The names of the placeholders of a path. */
export const placeholdersOf = (path: string): PathParameter[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as PathParameter);
