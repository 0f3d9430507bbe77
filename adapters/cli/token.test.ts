import test from 'ava';
import { runCli, startServer, temporaryDirectory } from '../../test/support/cli-process.js';
import { demoSummary, organization } from './demo/summary.js';

/** Repeats a request until it is 401: a service may cache a token for a second after another process has revoked it. */
async function eventualStatus(request: () => Promise<{ status: number }>): Promise<number> {
  const end = performance.now() + 5_000;
  for (;;) {
    const { status } = await request();
    if (status === 401 || performance.now() > end) return status;
  }
}

test('token issue and token revoke take effect on a served database within a second', async (t) => {
  const cwd = await temporaryDirectory(t);
  const service = await startServer(t, cwd, '--no-simulate');
  const user = ['--organization', organization, '--user', 'ben@acme.example'];
  const issued = await runCli(cwd, 'token', 'issue', ...user, '--scopes', 'read_builds,read_agents');
  t.deepEqual({ ...issued, stdout: '' }, { code: 0, stdout: '', stderr: '' });
  t.regex(issued.stdout, /^mra_\w+\n$/);
  const token = issued.stdout.trim();

  t.is((await service.request('/v2/builds', { token })).status, 200);
  const builds = `/v2/organizations/${organization}/pipelines/web/builds`;
  t.is((await service.request(builds, { token, body: { commit: 'HEAD', branch: 'main' } })).status, 403);
  const { body: tokenInfo } = await service.request('/v2/access-token', { token });
  t.deepEqual(tokenInfo.scopes, ['read_builds', 'read_agents']);

  const revoked = await runCli(cwd, 'token', 'revoke', token);
  t.deepEqual(revoked, { code: 0, stdout: '', stderr: `Revoked ${tokenInfo.uuid}\n` });
  t.is(await eventualStatus(() => service.request('/v2/builds', { token })), 401);

  const other = (await runCli(cwd, 'token', 'issue', ...user)).stdout.trim();
  const { body: otherInfo } = await service.request('/v2/access-token', { token: other });
  t.is(otherInfo.scopes.length, 10);
  t.is((await runCli(cwd, 'token', 'revoke', otherInfo.uuid)).code, 0);
  t.is(await eventualStatus(() => service.request('/v2/builds', { token: other })), 401);

  for (const [args, message] of [
    [['token', 'issue', '--organization', 'none', '--user', demoSummary.admin], 'No organization found'],
    [['token', 'issue', '--organization', organization, '--user', 'none@acme.example'], 'No user found'],
    [['token', 'revoke', 'mra_none'], 'No access token found'],
  ] as const) {
    t.deepEqual(await runCli(cwd, ...args), { code: 2, stdout: '', stderr: `millrace: ${message}\n` });
  }
  await service.stop();
});
