import { object, orNull, text, timestamp, url, uuid } from '../schema.js';

/** A flaky test (spec 2.12). */
export const FlakyTest = object({
  id: uuid,
  web_url: url,
  scope: text,
  name: text,
  location: text,
  file_name: text,
  instances: { type: 'integer', minimum: 1 },
  latest_occurrence_at: timestamp,
  most_recent_instance_at: timestamp,
  last_resolved_at: orNull(timestamp),
});
