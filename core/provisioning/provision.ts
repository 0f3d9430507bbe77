import type { Fixture, FixtureRecord, Section } from './fixture-schema.js';
import type { LoadFixture } from './load-fixture.js';
import type { LoadedFixture } from './plan.js';

/**
 * Provisions one record per call. A record refers to existing records by slugs, emails, cluster names and queue keys. The fields
 * are those of a fixture (docs/fixtures.md). There are no events.
 *
 * Every call rejects with the `ApiError` `fixture.invalid` (422) if the record is invalid. Its `data.problems` lists every problem
 * with its path, and nothing has been written.
 *
 * @example
 * await api.provision.organization({ slug: 'acme' });
 * await api.provision.cluster({ organization: 'acme', name: 'Linux', default_queue: 'default' });
 */
export interface Provision {
  /** Creates an organization. @throws `fixture.invalid` (422): a field is wrong, or the slug is taken. */
  organization(record: FixtureRecord<'organizations'>): Promise<LoadedFixture['organizations'][number]>;
  /** Creates a user and its memberships. @throws `fixture.invalid` (422): a field is wrong, or the email is taken. */
  user(record: FixtureRecord<'users'>): Promise<LoadedFixture['users'][number]>;
  /**
   * Creates an API access token. Only this reply has its text.
   * @throws `fixture.invalid` (422): a field is wrong, there is no such user, or the token exists.
   */
  accessToken(record: FixtureRecord<'access_tokens'>): Promise<LoadedFixture['access_tokens'][number]>;
  /** Creates a cluster. @throws `fixture.invalid` (422): a field is wrong, or there is no such organization. */
  cluster(record: FixtureRecord<'clusters'>): Promise<LoadedFixture['clusters'][number]>;
  /** Creates a queue of a cluster. @throws `fixture.invalid` (422): a field is wrong, there is no such cluster, or the key is taken. */
  queue(record: FixtureRecord<'queues'>): Promise<LoadedFixture['queues'][number]>;
  /**
   * Creates an agent token of a cluster. Only this reply has its text.
   * @throws `fixture.invalid` (422): a field is wrong, there is no such cluster, or the token exists.
   */
  agentToken(record: FixtureRecord<'agent_tokens'>): Promise<LoadedFixture['agent_tokens'][number]>;
  /** Creates a pipeline. @throws `fixture.invalid` (422): a field is wrong, or the slug is taken. */
  pipeline(record: FixtureRecord<'pipelines'>): Promise<LoadedFixture['pipelines'][number]>;
  /** Creates a test suite. @throws `fixture.invalid` (422): a field is wrong, or the slug is taken. */
  suite(record: FixtureRecord<'suites'>): Promise<LoadedFixture['suites'][number]>;
  /**
   * Creates a team with its members, pipelines and suites.
   * @throws `fixture.invalid` (422): a field is wrong, or names a record that does not exist.
   */
  team(record: FixtureRecord<'teams'>): Promise<LoadedFixture['teams'][number]>;
  /** Creates an agent. @throws `fixture.invalid` (422): a field is wrong, or there is no such cluster. */
  agent(record: FixtureRecord<'agents'>): Promise<LoadedFixture['agents'][number]>;
  /**
   * Creates a build with its jobs, in any state. Without a number it gets the pipeline's next one.
   * @throws `fixture.invalid` (422): a field is wrong, the number is taken, or the states of build and jobs contradict each other.
   */
  build(record: FixtureRecord<'builds'>): Promise<LoadedFixture['builds'][number]>;
}

/** Creates the functions of `Provision`. Each call loads a fixture with one record and returns the created record. */
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
