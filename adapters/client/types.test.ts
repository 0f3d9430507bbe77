import test from 'ava';
import type { Build } from '../../core/representations/build.js';
import { fakeService } from '../fake/index.js';
import { type ApiResult, type Client, createClient, type Page } from './index.js';

type IsSame<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
const assertTrue = <_ extends true>() => {};
type FirstArgument<M extends (...rest: never[]) => unknown> = NonNullable<Parameters<M>[0]>;
type Resolved<M extends (...rest: never[]) => unknown> = Awaited<ReturnType<M>>;

/** Never called: it is enough that it compiles, and that each line marked as an error is one. */
async function checked(client: Client) {
  const { agents, builds, clusters, queues, teams, teamPipelines, user } = client;
  const org = { organization: 'acme' };

  assertTrue<IsSame<Resolved<typeof builds.get>, ApiResult<Build>>>();
  assertTrue<IsSame<Resolved<typeof builds.listAll>, ApiResult<Page<Build>>>>();
  assertTrue<IsSame<Resolved<typeof clusters.delete>, ApiResult<undefined>>>();
  assertTrue<IsSame<keyof FirstArgument<typeof agents.stop>, 'organization' | 'agent' | 'body'>>();

  await user.get();
  await builds.listAll();
  await agents.stop({ ...org, agent: 'id' });
  await agents.stop({ ...org, agent: 'id', body: { force: false } });
  await teams.list({ ...org, query: { user_id: 'id', page: 2 } });
  await queues.pauseDispatch({ ...org, cluster: 'c', queue: 'q', body: { note: null } });
  await teamPipelines.update({ ...org, team: 't', teamPipeline: 'p', body: { access_level: 'read_only' } });

  // @ts-expect-error there is no such operation
  client.builds.destroy;
  // @ts-expect-error nor such a family
  client.jobs;
  // @ts-expect-error the pipeline is missing
  await builds.get({ ...org, build: 1 });
  // @ts-expect-error so is everything
  await agents.list();
  // @ts-expect-error the body is missing
  await clusters.create({ ...org });
  // @ts-expect-error its name is missing
  await clusters.create({ ...org, body: { color: '#fff' } });
  // @ts-expect-error a name is text
  await clusters.create({ ...org, body: { name: 1 } });
  // @ts-expect-error there is no such access level
  await teamPipelines.update({ ...org, team: 't', teamPipeline: 'p', body: { access_level: 'all' } });
  // @ts-expect-error there is no such state
  await builds.listAll({ query: { state: 'done' } });
  // @ts-expect-error there is no such filter
  await builds.listAll({ query: { colour: 'red' } });
  // @ts-expect-error it has no body
  await builds.cancel({ ...org, pipeline: 'p', build: 1, body: {} });
  // @ts-expect-error it has no pages
  await builds.get({ ...org, pipeline: 'p', build: 1, query: { page: 1 } });
  // @ts-expect-error only lists can be walked through
  builds.get.all;

  const result = await builds.get({ ...org, pipeline: 'p', build: 1 });
  // @ts-expect-error whether it was refused has to be asked first
  result.value;
  if (result.ok) {
    const state: 'running' | 'passed' | string = result.value.state;
    // @ts-expect-error a build has no such field
    result.value.colour;
    // @ts-expect-error what was not refused has no message
    result.message;
    return state;
  }
  return result.message;
}

test('methods and their arguments are those of the operations', async (t) => {
  t.is(typeof checked, 'function');
  const service = await fakeService();
  const client = createClient(service) as unknown as Record<string, Record<string, unknown>>;
  const methods = Object.entries(client).flatMap(([family, own]) =>
    Object.keys(own).map((name) => `${family}.${name}`),
  );
  t.is(methods.length, 48);
  t.true(methods.includes('builds.listByPipeline'));
  await service.close();
});
