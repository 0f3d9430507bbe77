import type { Row } from '../model/index.js';
import { type Infer, integer, nullable, strictObject, string, timestamp, url, uuid } from '../schema/schema.js';
import type { Links } from './links.js';

/** A test that was seen to be flaky (spec 2.12). */
export const FlakyTest = strictObject(
  {
    id: uuid(),
    web_url: url(),
    scope: string(),
    name: string(),
    location: string(),
    file_name: string(),
    instances: integer({ minimum: 1, description: 'How often it was flaky' }),
    latest_occurrence_at: timestamp({ description: 'When it was flaky last' }),
    most_recent_instance_at: timestamp({ description: 'When it was run last' }),
    last_resolved_at: nullable(timestamp()),
  },
  { title: 'FlakyTest', description: 'A test that has both passed and failed on the same commit' },
);

export const renderFlakyTest = (
  test: Row<'test'>,
  organization: string,
  suite: string,
  links: Links,
): Infer<typeof FlakyTest> => ({
  id: test.id,
  web_url: `${links.suite(organization, suite).web_url}/tests/${test.id}`,
  scope: test.scope,
  name: test.name,
  location: test.location,
  file_name: test.file_name,
  instances: test.instances,
  latest_occurrence_at: test.latest_occurrence_at ?? test.most_recent_instance_at,
  most_recent_instance_at: test.most_recent_instance_at,
  last_resolved_at: test.last_resolved_at,
});
