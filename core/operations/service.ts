import { renderUser, User } from '../representations/user.js';
import { integer, strictObject, string } from '../schema/schema.js';
import { publicRoute, read } from './contract/operation.js';

/** The root (spec 1.6). */
const root = publicRoute({
  id: 'meta.root',
  summary: 'Say hello',
  method: 'GET',
  path: '/',
  reply: strictObject({ message: string(), timestamp: integer({ description: 'Current Unix time in seconds' }) }),
  run: ({ now }) => ({
    message: 'Millrace: agents, builds, clusters, teams and flaky tests under /v2',
    timestamp: Math.floor(Date.parse(now()) / 1000),
  }),
});

/** Who the token belongs to (spec 4.8). */
const user = read({
  id: 'user.get',
  summary: 'Get the user of the token',
  method: 'GET',
  path: '/v2/user',
  scope: null,
  reply: User,
  run: ({ caller }) => renderUser(caller.user),
});

export const service = [root, user];
