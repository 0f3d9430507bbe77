import { batch, replace } from '../commands/batch.js';
import { errors } from '../errors/index.js';
import { AccessToken, renderAccessToken } from '../representations/access-token.js';
import { command, read } from './contract/operation.js';

const get = read({
  id: 'accessToken.get',
  summary: 'Get the access token of the request',
  method: 'GET',
  path: '/v2/access-token',
  scope: null,
  reply: AccessToken,
  run: ({ caller }) => renderAccessToken(caller),
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
      return token && token.revoked_at === null ? token : errors.unauthenticated();
    },
    decide: (token, { now }) => ({
      batch: batch({ replace: [replace('accessToken', token, { revoked_at: now })] }),
      reply: null,
    }),
  },
});

export const accessToken = [get, revoke];
