import type { Row } from '../../model/index.js';
import type { ExecutionInput } from './execution-input.js';

/** A test as it is stored: the columns of the entity `test` of `millrace/model`. */
export type TestRecord = Row<'test'>;

/** The part of the runtime that is about tests of suites. */
export interface TestsRuntime {
  /**
   * Records executions of tests, any number of them, in any order. All of them are checked before the first is written; they
   * are written in chunks of some hundreds, each in one commit. The call can be repeated: an execution that was recorded
   * already does not count a second time.
   *
   * @throws `organization.not_found` (404): no organization has that slug.
   * @throws `suite.not_found` (404): the organization has no suite with that slug.
   * @throws `validation.failed` (422): an execution is wrong; the message names its index and its field.
   * @example
   * const { flaky } = await api.runtime.tests.record({
   *   organization: 'acme',
   *   suite: 'web',
   *   executions: [{ name: 'signs in', result: 'passed', commit: 'abc', branch: 'main' }],
   * });
   */
  record(input: RecordInput): Promise<RecordResult>;
  /**
   * Records that somebody has dealt with a flaky test. Nothing clears that (decisions 10).
   *
   * @throws `test.not_found` (404): there is no such test.
   */
  resolve(input: ResolveInput): Promise<TestRecord>;
}

/** Executions of tests of a suite. */
export interface RecordInput {
  /** Slug of the organization. */
  readonly organization: string;
  /** Slug of the suite. */
  readonly suite: string;
  readonly executions: readonly ExecutionInput[];
}

/** What came of recorded executions. */
export interface RecordResult {
  /** How many executions the call had. */
  readonly executions: number;
  /** Ids of the tests that were seen to be flaky on one more commit. */
  readonly flaky: readonly string[];
}

/** Names a test. */
export interface ResolveInput {
  /** Id of the test. */
  readonly test: string;
}
