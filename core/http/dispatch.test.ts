import test from 'ava';
import { memoryStorage } from '../../adapters/memory/index.js';
import { type ApiOptions, type ApiRequest, type Authenticator, createApi, StorageUnavailable } from '../index.js';

const request = (changes: Partial<ApiRequest> = {}): ApiRequest => ({
  method: 'GET',
  target: '/v2/user',
  headers: { authorization: 'Bearer x' },
  remoteAddress: undefined,
  body: { read: async () => new Uint8Array(0) },
  ...changes,
});

const caller: Awaited<ReturnType<Authenticator['authenticate']>> = {
  user: { id: 'u', name: 'n', email: 'e', avatar_url: 'https://a.test', created_at: '2026-01-01T00:00:00.000Z' },
  token: { id: 't', scopes: [], description: '', created_at: '2026-01-01T00:00:00.000Z', expires_at: null },
  organizations: [],
};
const authenticator: Authenticator = { authenticate: async () => caller };

async function answerOf(options: Partial<ApiOptions>, asked: ApiRequest = request()) {
  const errors: unknown[] = [];
  const api = createApi({ storage: memoryStorage(), onError: (error) => errors.push(error), ...options });
  const { status, headers, body } = await api.handle(asked);
  await api.close();
  return { status, headers, text: Buffer.concat(body).toString(), errors };
}

const broken = {
  message: 'Something went wrong on our side',
};
const failure = new Error('select secret from table');
const rejects = async () => {
  throw failure;
};

test('an unexpected error is a 500 without internal details, and is reported', async (t) => {
  const faults: Partial<ApiOptions>[] = [
    { authenticator: { authenticate: rejects } },
    { authenticator: { authenticate: async () => ({ ...caller, user: { ...caller.user, name: 1n as never } }) } },
  ];
  for (const options of faults) {
    const { status, text, errors, headers } = await answerOf(options);
    t.is(status, 500);
    t.deepEqual(JSON.parse(text), broken);
    t.is(errors.length, 1);
    t.is(headers['Access-Control-Allow-Origin'], '*');
  }
  const storage = { ...memoryStorage(), load: rejects };
  const body = { read: rejects };
  t.is(
    (await answerOf({ storage, authenticator }, request({ method: 'DELETE', target: '/v2/access-token' }))).status,
    500,
  );
  t.is(
    (await answerOf({ authenticator }, request({ method: 'DELETE', target: '/v2/access-token', body }))).status,
    500,
  );
});

test('a reporter that throws does not keep the client from its answer', async (t) => {
  const onError = () => {
    throw new Error('the reporter is broken too');
  };
  const { status, text } = await answerOf({ authenticator: { authenticate: rejects }, onError });
  t.is(status, 500);
  t.deepEqual(JSON.parse(text), broken);
});

test('an unreachable database is a 503 with Retry-After', async (t) => {
  const authenticate = async () => {
    throw new StorageUnavailable('connection refused at 10.0.0.1', { retryAfter: 6_001 });
  };
  const { status, headers, text, errors } = await answerOf({ authenticator: { authenticate } });
  t.is(status, 503);
  t.is(headers['Retry-After'], '7');
  t.false(text.includes('10.0.0.1'));
  t.is(errors.length, 1);
});

test('paths are matched whatever the method, so that a host can mount the API', (t) => {
  const api = createApi({ storage: memoryStorage() });
  for (const target of ['/', '/v2/user', '/v2/user/?x=1', '/v2/organizations/%/agents', 'http://host/v2/builds'])
    t.true(api.matches('TRACE', target), target);
  for (const target of ['/v2', '/v2/users', '//v2/user', '*', '/v2/../v2/user'])
    t.false(api.matches('GET', target), target);
});
