export type { Fixture, FixtureRecord, Section } from './fixture-schema.js';
export { makeLoad } from './lazy-load.js';
export type { LoadFixture, LoadOptions } from './load-fixture.js';
export type { LoadedFixture } from './plan.js';
export { makeProvision, type Provision } from './provision.js';
