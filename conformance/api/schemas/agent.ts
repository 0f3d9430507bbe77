import { arrayOf, integer, object, oneOf, orNull, text, timestamp, url, uuid } from '../schema.js';
import { Job } from './job.js';
import { User } from './user.js';

/** An agent (spec 2.2). */
export const Agent = object({
  id: uuid,
  graphql_id: text,
  url: url,
  web_url: url,
  name: text,
  connection_state: oneOf('never_connected', 'connected', 'stopping', 'stopped', 'disconnected', 'lost'),
  hostname: text,
  ip_address: text,
  user_agent: text,
  version: text,
  creator: orNull(User),
  created_at: timestamp,
  job: orNull(Job),
  last_job_finished_at: orNull(timestamp),
  priority: orNull(integer),
  meta_data: arrayOf(text),
});
