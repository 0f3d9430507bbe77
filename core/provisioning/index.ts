export type { Fixture, FixtureRecord, Section } from './fixture-schema.js';
export { type LoadFixture, makeLoad } from './lazy-load.js';
export type { LoadOptions } from './load-fixture.js';
export type { LoadedFixture } from './plan.js';
export { makeProvision, type Provision } from './provision.js';
