import test from 'ava';
import type { Build } from '../../core/representations/build.js';
import { fakeService } from '../fake/index.js';
import { type ApiResult, type Client, createClient, type Page } from './index.js';

type IsSame<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
const assertTrue = <_ extends true>() => {};
type FirstArgument<M extends (...rest: never[]) => unknown> = NonNullable<Parameters<M>[0]>;
type Resolved<M extends (...rest: never[]) => unknown> = Awaited<ReturnType<M>>;

/** Never called. The compiler checks it, including that each line after `@ts-expect-error` is an error. */
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
  // @ts-expect-error there is no such resource
  client.jobs;
  // @ts-expect-error the pipeline is missing
  await builds.get({ ...org, build: 1 });
  // @ts-expect-error all arguments are missing
  await agents.list();
  // @ts-expect-error the body is missing
  await clusters.create({ ...org });
  // @ts-expect-error the name is missing
  await clusters.create({ ...org, body: { color: '#fff' } });
  // @ts-expect-error a name is a string
  await clusters.create({ ...org, body: { name: 1 } });
  // @ts-expect-error there is no such access level
  await teamPipelines.update({ ...org, team: 't', teamPipeline: 'p', body: { access_level: 'all' } });
  // @ts-expect-error there is no such state
  await builds.listAll({ query: { state: 'done' } });
  // @ts-expect-error there is no such filter
  await builds.listAll({ query: { colour: 'red' } });
  // @ts-expect-error the operation has no body
  await builds.cancel({ ...org, pipeline: 'p', build: 1, body: {} });
  // @ts-expect-error the operation is not a list
  await builds.get({ ...org, pipeline: 'p', build: 1, query: { page: 1 } });
  // @ts-expect-error only lists have `all`
  builds.get.all;

  const result = await builds.get({ ...org, pipeline: 'p', build: 1 });
  // @ts-expect-error `ok` has to be checked first
  result.value;
  if (result.ok) {
    const state: 'running' | 'passed' | string = result.value.state;
    // @ts-expect-error a build has no such field
    result.value.colour;
    // @ts-expect-error a success has no message
    result.message;
    return state;
  }
  return result.message;
}

test('the client has one method per operation', async (t) => {
  t.is(typeof checked, 'function');
  const service = await fakeService();
  const client = createClient({ api: service.api }) as unknown as Record<string, Record<string, unknown>>;
  const methods = Object.entries(client).flatMap(([family, own]) =>
    Object.keys(own).map((name) => `${family}.${name}`),
  );
  t.is(methods.length, 48);
  t.true(methods.includes('builds.listByPipeline'));
  await service.close();
});
