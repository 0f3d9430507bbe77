import { arrayOf, flag, integer, mapOf, object, oneOf, orNull, text, timestamp, url, uuid } from '../schema.js';
import { Job } from './job.js';
import { Pipeline } from './pipeline.js';
import { User } from './user.js';

/** A build with its jobs (spec 2.4). */
export const Build = object({
  id: uuid,
  graphql_id: text,
  url: url,
  web_url: url,
  number: { type: 'integer', minimum: 1 },
  state: oneOf('scheduled', 'running', 'failing', 'passed', 'failed', 'canceling', 'canceled', 'skipped', 'not_run'),
  cancel_reason: orNull(text),
  blocked: flag,
  message: orNull(text),
  commit: text,
  branch: text,
  env: mapOf(text),
  source: text,
  creator: orNull(User),
  author: orNull(
    object({
      name: text,
      email: text,
    }),
  ),
  jobs: arrayOf(Job),
  created_at: timestamp,
  scheduled_at: timestamp,
  started_at: orNull(timestamp),
  finished_at: orNull(timestamp),
  meta_data: mapOf(text),
  pull_request: orNull(
    object({
      id: text,
      base: orNull(text),
      repository: orNull(text),
    }),
  ),
  rebuilt_from: orNull(
    object({
      id: uuid,
      number: integer,
      url: url,
    }),
  ),
  pipeline: Pipeline,
});
