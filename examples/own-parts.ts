import { bearerTokenAuthenticator, createApi, createContainer, membershipAuthorizer, tokens } from 'millrace';
import { memoryStorage } from 'millrace/memory';

const sessions = new Map<string, string>();
const container = createContainer();
container.register(tokens.storage, { useValue: memoryStorage() });
// Programs send an access token; browsers send a session, for which the host program knows the access token.
container.register(tokens.authenticator, {
  useFactory: (parts) => {
    const bearer = bearerTokenAuthenticator(parts.resolve(tokens.cachedStorage), parts.resolve(tokens.clock));
    return {
      authenticate(request) {
        const token = sessions.get(/\bsession=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? '');
        const headers = token ? { ...request.headers, authorization: `Bearer ${token}` } : request.headers;
        return bearer.authenticate({ ...request, headers });
      },
    };
  },
});
// Only admins stop agents, whatever the organization says.
container.register(tokens.authorizer, {
  useFactory: (parts) => {
    const policy = membershipAuthorizer(parts.resolve(tokens.cachedStorage));
    return {
      isAllowed: async (caller, right) =>
        (right.to !== 'stop_agents' || caller.organizations.some(({ role }) => role === 'admin')) &&
        policy.isAllowed(caller, right),
    };
  },
});

await using api = createApi({ container, baseUrl: 'https://ci.example.com' });
await api.prepare();
await api.provision.organization({ slug: 'acme' });
await api.provision.user({ name: 'Ada', email: 'ada@acme.example', organizations: [{ organization: 'acme' }] });
sessions.set('s1', (await api.runtime.accessTokens.issue({ user: 'ada@acme.example' })).token);
const request = { method: 'GET', target: '/v2/user', remoteAddress: undefined, body: { parsed: undefined } };
const { status } = await api.handle({ ...request, headers: { cookie: 'session=s1' } });
console.log(status);
