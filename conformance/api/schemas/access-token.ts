import { arrayOf, object, orNull, text, timestamp, uuid } from '../schema.js';
import { User } from './user.js';

/** The access token of the request. */
export const AccessToken = object({
  uuid: uuid,
  scopes: arrayOf(text),
  description: text,
  created_at: timestamp,
  expires_at: orNull(timestamp),
  user: User,
});
