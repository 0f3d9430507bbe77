import { object, text, timestamp, url, uuid } from '../schema.js';

/** A user (spec 2.1). */
export const User = object({
  id: uuid,
  graphql_id: text,
  name: text,
  email: text,
  avatar_url: url,
  created_at: timestamp,
});
