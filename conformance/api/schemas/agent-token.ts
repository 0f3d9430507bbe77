import { object, orNull, text, timestamp, url, uuid } from '../schema.js';
import { User } from './user.js';

/** An agent token without its text (spec 2.8). */
export const AgentToken = object({
  id: uuid,
  graphql_id: text,
  description: text,
  allowed_ip_addresses: orNull(text),
  url: url,
  cluster_url: url,
  created_at: timestamp,
  created_by: orNull(User),
});

/** An agent token as the response to its creation shows it: with its text (spec 2.8). */
export const NewAgentToken = object({
  id: uuid,
  graphql_id: text,
  description: text,
  allowed_ip_addresses: orNull(text),
  url: url,
  cluster_url: url,
  created_at: timestamp,
  created_by: orNull(User),
  token: text,
});
