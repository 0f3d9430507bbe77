export type { Fixture, FixtureRecord, Section } from './fixture-schema.js';
export { makeLoad } from './lazy-load.js';
export type { LoadOptions } from './load-fixture.js';
export type { LoadedFixture } from './plan.js';
export { makeProvision } from './provision.js';
