import type { Fixture } from './fixture-schema.js';
import type { LoadedFixture } from './plan.js';

export interface LoadOptions {
  /** Told how many of all records have been planned: now and then, and when the last one is. */
  readonly onProgress?: (done: number, total: number) => void;
}

export type LoadFixture = (document: Fixture, options?: LoadOptions) => Promise<LoadedFixture>;
