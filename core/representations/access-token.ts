import { exact, type Infer, list, nullable, text, timestamp, uuid } from '../contract/schema.js';
import type { Caller } from '../ports/index.js';
import { presentUser, User } from './user.js';

/** The access token that a request came with (decisions 2). Its text is never shown. */
export const AccessToken = exact(
  {
    uuid: uuid(),
    scopes: list(text()),
    description: text(),
    created_at: timestamp(),
    expires_at: nullable(timestamp()),
    user: User,
  },
  { title: 'AccessToken', description: 'The access token of the request' },
);

export const presentAccessToken = ({ token, user }: Caller): Infer<typeof AccessToken> => ({
  uuid: token.id,
  scopes: token.scopes,
  description: token.description,
  created_at: token.created_at,
  expires_at: token.expires_at,
  user: presentUser(user),
});
