import { object, orNull, text, timestamp, url, uuid } from '../schema.js';
import { User } from './user.js';

/** A cluster (spec 2.6). */
export const Cluster = object({
  id: uuid,
  graphql_id: text,
  default_queue_id: orNull(uuid),
  name: text,
  description: orNull(text),
  emoji: orNull(text),
  color: orNull(text),
  url: url,
  web_url: url,
  queues_url: url,
  default_queue_url: orNull(url),
  created_at: timestamp,
  created_by: orNull(User),
});
