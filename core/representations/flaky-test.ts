import { exact, type Infer, integer, nullable, text, timestamp, url, uuid } from '../contract/schema.js';
import type { Row } from '../model/index.js';
import type { Links } from './links.js';

/** A test that was seen to be flaky (spec 2.12). */
export const FlakyTest = exact(
  {
    id: uuid(),
    web_url: url(),
    scope: text(),
    name: text(),
    location: text(),
    file_name: text(),
    instances: integer({ minimum: 1, description: 'How often it was flaky' }),
    latest_occurrence_at: timestamp({ description: 'When it was flaky last' }),
    most_recent_instance_at: timestamp({ description: 'When it was run last' }),
    last_resolved_at: nullable(timestamp()),
  },
  { title: 'FlakyTest', description: 'A test that has both passed and failed on the same commit' },
);

export const presentFlakyTest = (
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
