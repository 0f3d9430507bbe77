import test from 'ava';
import { defaultFixture, fakeService } from './index.js';

const builds = '/v2/organizations/acme/pipelines/web/builds';
const build = { commit: 'HEAD', branch: 'main' };

async function createAndRebuild(seed?: number) {
  const service = await fakeService({ seed });
  const created = await service.request('POST', builds, { body: build });
  service.clock.advance(1_000);
  const rebuilt = await service.request('PUT', `${builds}/${created.body.number}/rebuild`);
  await service.close();
  return { token: service.token, created, rebuilt, errors: service.errors };
}

test('the same calls give the same responses, byte for byte', async (t) => {
  const one = await createAndRebuild();
  t.deepEqual(await createAndRebuild(), one);
  t.is(one.created.status, 201);
  t.deepEqual(one.errors, []);
  const other = await createAndRebuild(2);
  t.not(other.created.body.id, one.created.body.id);
  t.not(other.token, one.token);
});

test('the clock stands still until it is advanced', async (t) => {
  const { created, rebuilt } = await createAndRebuild();
  t.is(created.body.created_at, '2026-01-05T09:00:00.000Z');
  t.is(rebuilt.body.created_at, '2026-01-05T09:00:01.000Z');
  const service = await fakeService({ start: '2030-01-01T00:00:00Z' });
  t.is((await service.request('POST', builds, { body: build })).body.created_at, '2030-01-01T00:00:00.000Z');
});

test('requests: another token or none, header names in any case, raw bodies', async (t) => {
  const service = await fakeService();
  t.is((await service.request('GET', '/v2/user')).status, 200);
  t.is((await service.request('GET', '/v2/user', { token: null })).status, 401);
  t.is((await service.request('GET', '/v2/user', { token: 'nobody' })).status, 401);
  const head = await service.request('HEAD', builds, { headers: { 'X-Request-ID': 'abc' } });
  t.is(head.body, undefined);
  t.is(head.headers['x-request-id'], 'abc');
  t.is((await service.request('POST', builds, { body: '{' })).status, 400);
  const large = JSON.stringify({ ...build, message: 'x'.repeat(1_100_000) });
  t.is((await service.request('POST', builds, { body: large })).status, 413);
  t.is((await service.request('POST', builds, { body: Buffer.from(JSON.stringify(build)) })).status, 201);
});

test('api.runtime runs the jobs of a build', async (t) => {
  const service = await fakeService();
  const { body: created } = await service.request('POST', builds, { body: build });
  const { body: agents } = await service.request('GET', '/v2/organizations/acme/agents');
  for (const _step of ['test', 'pack']) {
    const job = await service.api.runtime.jobs.accept({ agent: agents[0].id });
    if (!job) return t.fail('there is no job');
    await service.api.runtime.jobs.start({ job: job.id });
    await service.api.runtime.jobs.finish({ job: job.id, exit_status: 0 });
  }
  t.is((await service.request('GET', `${builds}/${created.number}`)).body.state, 'passed');
});

test('fetch: a fetch function for clients', async (t) => {
  const service = await fakeService({ baseUrl: 'https://ci.test/api' });
  const headers = { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' };
  const created = await service.fetch(`https://ci.test/api${builds}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(build),
  });
  t.is(created.status, 201);
  const { url } = (await created.json()) as { url: string };
  t.is((await service.fetch(url, { headers })).status, 200);
  t.is((await service.fetch(new Request(url, { headers }))).status, 200);
  t.is((await service.fetch(new URL(url), { headers, method: 'HEAD' })).status, 200);
  const relative = await service.fetch(`${builds}?per_page=1`, { headers });
  t.is(((await relative.json()) as unknown[]).length, 1);
  t.is(relative.headers.get('access-control-allow-origin'), '*');
  const gone = await service.fetch('/v2/access-token', { headers, method: 'DELETE' });
  t.is(gone.status, 204);
  t.is(gone.body, null);
  await t.throwsAsync(service.fetch('https://elsewhere.test/v2/user'), { instanceOf: TypeError });
  await t.throwsAsync(service.fetch('https://ci.test/apiary/v2/user'), { instanceOf: TypeError });
  const aborted = service.fetch(url, { headers, signal: AbortSignal.abort() });
  t.is(await aborted.catch((error: Error) => error.name), 'AbortError');
});

test('a fixture: its first organization and a token of an admin there', async (t) => {
  const { status, organization } = await fakeService({ fixture: { ...defaultFixture, pipelines: [] } }).then(
    async (service) => ({
      organization: service.organization,
      status: (await service.request('GET', builds)).status,
    }),
  );
  t.is(organization, 'acme');
  t.is(status, 404);
  const known = await fakeService();
  const fixture = { ...defaultFixture, access_tokens: [{ user: 'ada@acme.test', token: known.token }] };
  t.is((await fakeService({ fixture, seed: 9 })).token, known.token);
  await t.throwsAsync(fakeService({ fixture: {} }), { message: 'The fixture has no organizations' });
  await t.throwsAsync(fakeService({ fixture: { ...defaultFixture, users: [], teams: [] } }), {
    message: /no admin of acme/,
  });
});
