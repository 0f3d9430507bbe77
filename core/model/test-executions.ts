import { flag, id, integer, json, nullable, text, time } from './column.js';
import { entity } from './entity.js';

/** A test of a suite, with what is known of its flakiness (spec 2.12). Known by its scope and name. */
export const test = entity(
  {
    organization_id: id(),
    suite_id: id(),
    /** SHA-256 of scope and name: long names make poor keys. */
    identity: text(),
    scope: text(),
    name: text(),
    location: text(),
    file_name: text(),
    /** Whether it was ever seen to be flaky. */
    flaky: flag(),
    /** How often it was: commits of which it has both passed and failed (decisions 10). */
    instances: integer(),
    latest_occurrence_at: nullable(time()),
    most_recent_instance_at: time(),
    last_resolved_at: nullable(time()),
    created_at: time(),
  },
  { identity: ['suite_id', 'identity'] },
);

/**
 * What became of a test on one commit: all that detection has to remember, however often it was run. The times are of the
 * earliest such execution, so that it makes no difference in which order executions are recorded.
 */
export const testCommit = entity(
  {
    organization_id: id(),
    suite_id: id(),
    test_id: id(),
    commit: text(),
    passed_at: nullable(time()),
    failed_at: nullable(time()),
    /** When it had both: the later of the two. */
    flaky_at: nullable(time()),
    /** On which it was run: where it is flaky, once it is. The first hundred. */
    branches: json<readonly string[]>(),
  },
  { commit: ['test_id', 'commit'] },
);

/** A branch on which a test was seen to be flaky. */
export const testBranch = entity(
  { organization_id: id(), suite_id: id(), test_id: id(), branch: text(), created_at: time() },
  { branch: ['test_id', 'branch'] },
);
