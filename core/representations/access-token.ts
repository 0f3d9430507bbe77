import type { Caller } from '../ports/index.js';
import { array, type Infer, nullable, strictObject, string, timestamp, uuid } from '../schema/schema.js';
import { renderUser, User } from './user.js';

/** The access token of the request (decisions 2). The token itself is never rendered. */
export const AccessToken = strictObject(
  {
    uuid: uuid(),
    scopes: array(string()),
    description: string(),
    created_at: timestamp(),
    expires_at: nullable(timestamp()),
    user: User,
  },
  { title: 'AccessToken', description: 'The access token of the request' },
);

export const renderAccessToken = ({ token, user }: Caller): Infer<typeof AccessToken> => ({
  uuid: token.id,
  scopes: token.scopes,
  description: token.description,
  created_at: token.created_at,
  expires_at: token.expires_at,
  user: renderUser(user),
});
