import type { Fixture } from './fixture-schema.js';
import type { LoadedFixture } from './plan.js';

export interface LoadOptions {
  /** Called with the number of planned records and of all records: regularly, and after the last record. */
  readonly onProgress?: (done: number, total: number) => void;
}

export type LoadFixture = (document: Fixture, options?: LoadOptions) => Promise<LoadedFixture>;
