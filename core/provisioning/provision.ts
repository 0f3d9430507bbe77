import type { Fixture, FixtureRecord, Section } from './fixture-schema.js';
import type { LoadFixture } from './load-fixture.js';
import type { LoadedFixture } from './plan.js';

/** Makes one record after the other: each call loads a fixture of that one record, and gives what was made of it. */
export function makeProvision(load: LoadFixture) {
  const provisionOne =
    <K extends Section>(section: K) =>
    async (record: FixtureRecord<K>): Promise<LoadedFixture[K][number]> => {
      const loaded = await load({ [section]: [record] } as Fixture);
      return loaded[section][0] as LoadedFixture[K][number];
    };
  return {
    organization: provisionOne('organizations'),
    user: provisionOne('users'),
    accessToken: provisionOne('access_tokens'),
    cluster: provisionOne('clusters'),
    queue: provisionOne('queues'),
    agentToken: provisionOne('agent_tokens'),
    pipeline: provisionOne('pipelines'),
    suite: provisionOne('suites'),
    team: provisionOne('teams'),
    agent: provisionOne('agents'),
    build: provisionOne('builds'),
  };
}
