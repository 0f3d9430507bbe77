import { batch, replace } from '../contract/batch.js';
import { command, read } from '../contract/operation.js';
import { unauthenticated } from '../contract/refusal.js';
import { AccessToken, presentAccessToken } from '../representations/access-token.js';

const get = read({
  id: 'accessToken.get',
  summary: 'Get the access token of the request',
  method: 'GET',
  path: '/v2/access-token',
  scope: null,
  reply: AccessToken,
  run: ({ caller }) => presentAccessToken(caller),
});

/** Spec 5.2: tokens can be revoked through the API. A token revokes itself, and is dead at once. */
const revoke = command({
  id: 'accessToken.revoke',
  summary: 'Revoke the access token of the request',
  method: 'DELETE',
  path: '/v2/access-token',
  scope: null,
  status: 204,
  command: {
    async load({ caller, reader }) {
      const [token] = caller ? await reader.load('accessToken.byDigest', [caller.token.id]) : [];
      return token && token.revoked_at === null ? token : unauthenticated();
    },
    decide: (token, { now }) => ({
      batch: batch({ replace: [replace('accessToken', token, { revoked_at: now })] }),
      reply: null,
    }),
  },
});

export const accessToken = [get, revoke];
