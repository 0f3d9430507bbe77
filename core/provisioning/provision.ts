import type { Fixture, FixtureRecord, Section } from './fixture-schema.js';
import type { LoadFixture } from './load-fixture.js';
import type { LoadedFixture } from './plan.js';

/**
 * Provisions one record per call. A record may name records that exist already, by the names that people use: slugs, emails,
 * cluster names, queue keys. Fields are those of a fixture (docs/fixtures.md). No events are announced.
 *
 * Every call rejects with the `ApiError` `fixture.invalid` (422) if something is wrong: its `data.problems` names every problem by
 * its path, and nothing has been written.
 *
 * @example
 * await api.provision.organization({ slug: 'acme' });
 * await api.provision.cluster({ organization: 'acme', name: 'Linux', default_queue: 'default' });
 */
export interface Provision {
  /** Makes an organization. @throws `fixture.invalid` (422): a field is wrong, or the slug is taken. */
  organization(record: FixtureRecord<'organizations'>): Promise<LoadedFixture['organizations'][number]>;
  /** Makes a user and its memberships. @throws `fixture.invalid` (422): a field is wrong, or the email is taken. */
  user(record: FixtureRecord<'users'>): Promise<LoadedFixture['users'][number]>;
  /**
   * Makes an API access token. The reply has its text, which is never seen again.
   * @throws `fixture.invalid` (422): a field is wrong, there is no such user, or the token exists.
   */
  accessToken(record: FixtureRecord<'access_tokens'>): Promise<LoadedFixture['access_tokens'][number]>;
  /** Makes a cluster. @throws `fixture.invalid` (422): a field is wrong, or there is no such organization. */
  cluster(record: FixtureRecord<'clusters'>): Promise<LoadedFixture['clusters'][number]>;
  /** Makes a queue of a cluster. @throws `fixture.invalid` (422): a field is wrong, there is no such cluster, or the key is taken. */
  queue(record: FixtureRecord<'queues'>): Promise<LoadedFixture['queues'][number]>;
  /**
   * Makes an agent token of a cluster. The reply has its text.
   * @throws `fixture.invalid` (422): a field is wrong, there is no such cluster, or the token exists.
   */
  agentToken(record: FixtureRecord<'agent_tokens'>): Promise<LoadedFixture['agent_tokens'][number]>;
  /** Makes a pipeline. @throws `fixture.invalid` (422): a field is wrong, or the slug is taken. */
  pipeline(record: FixtureRecord<'pipelines'>): Promise<LoadedFixture['pipelines'][number]>;
  /** Makes a test suite. @throws `fixture.invalid` (422): a field is wrong, or the slug is taken. */
  suite(record: FixtureRecord<'suites'>): Promise<LoadedFixture['suites'][number]>;
  /**
   * Makes a team with its members, pipelines and suites.
   * @throws `fixture.invalid` (422): a field is wrong, or names a record that does not exist.
   */
  team(record: FixtureRecord<'teams'>): Promise<LoadedFixture['teams'][number]>;
  /** Makes an agent. @throws `fixture.invalid` (422): a field is wrong, or there is no such cluster. */
  agent(record: FixtureRecord<'agents'>): Promise<LoadedFixture['agents'][number]>;
  /**
   * Makes a build with its jobs, in any state. Without a number it gets the pipeline's next one.
   * @throws `fixture.invalid` (422): a field is wrong, the number is taken, or the states of build and jobs contradict each other.
   */
  build(record: FixtureRecord<'builds'>): Promise<LoadedFixture['builds'][number]>;
}

/** Makes one record after the other: each call loads a fixture of that one record, and gives what was made of it. */
export function makeProvision(load: LoadFixture): Provision {
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
