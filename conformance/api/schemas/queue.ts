import { flag, object, orNull, text, timestamp, url, uuid } from '../schema.js';
import { User } from './user.js';

/** A queue of a cluster (spec 2.7). */
export const Queue = object({
  id: uuid,
  graphql_id: text,
  key: text,
  description: orNull(text),
  url: url,
  web_url: url,
  cluster_url: url,
  dispatch_paused: flag,
  dispatch_paused_by: orNull(User),
  dispatch_paused_at: orNull(timestamp),
  dispatch_paused_note: orNull(text),
  created_at: timestamp,
  created_by: orNull(User),
});
