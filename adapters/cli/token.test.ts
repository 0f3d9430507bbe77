import test from 'ava';
import { directory, run, serve } from './_process.test.js';
import { demoLandmarks, organization } from './demo/landmarks.js';

/** What a token is answered in the end: a service may know it for a second more when another process has revoked it. */
async function statusInTheEnd(ask: () => Promise<{ status: number }>): Promise<number> {
  const end = performance.now() + 5_000;
  for (;;) {
    const { status } = await ask();
    if (status === 401 || performance.now() > end) return status;
  }
}

test('token issue and token revoke work on a database that is served, within a second', async (t) => {
  const cwd = await directory(t);
  const service = await serve(t, cwd, '--no-simulate');
  const user = ['--organization', organization, '--user', 'ben@acme.example'];
  const issued = await run(cwd, 'token', 'issue', ...user, '--scopes', 'read_builds,read_agents');
  t.deepEqual({ ...issued, stdout: '' }, { code: 0, stdout: '', stderr: '' });
  t.regex(issued.stdout, /^mra_\w+\n$/);
  const token = issued.stdout.trim();

  t.is((await service.ask('/v2/builds', { token })).status, 200);
  const builds = `/v2/organizations/${organization}/pipelines/web/builds`;
  t.is((await service.ask(builds, { token, body: { commit: 'HEAD', branch: 'main' } })).status, 403);
  const { body: about } = await service.ask('/v2/access-token', { token });
  t.deepEqual(about.scopes, ['read_builds', 'read_agents']);

  const revoked = await run(cwd, 'token', 'revoke', token);
  t.deepEqual(revoked, { code: 0, stdout: '', stderr: `Revoked ${about.uuid}\n` });
  t.is(await statusInTheEnd(() => service.ask('/v2/builds', { token })), 401);

  const other = (await run(cwd, 'token', 'issue', ...user)).stdout.trim();
  const { body: whole } = await service.ask('/v2/access-token', { token: other });
  t.is(whole.scopes.length, 10);
  t.is((await run(cwd, 'token', 'revoke', whole.uuid)).code, 0);
  t.is(await statusInTheEnd(() => service.ask('/v2/builds', { token: other })), 401);

  for (const [args, complaint] of [
    [['token', 'issue', '--organization', 'none', '--user', demoLandmarks.admin], 'No organization found'],
    [['token', 'issue', '--organization', organization, '--user', 'none@acme.example'], 'No user found'],
    [['token', 'revoke', 'mra_none'], 'No access token found'],
  ] as const) {
    t.deepEqual(await run(cwd, ...args), { code: 2, stdout: '', stderr: `millrace: ${complaint}\n` });
  }
  await service.end();
});
