import type { Row } from '../../model/index.js';
import type { ExecutionInput } from './execution-input.js';

/** A test as it is stored: the columns of the entity `test` of `millrace/model`. */
export type TestRecord = Row<'test'>;

/** The functions of the runtime for tests of suites. */
export interface TestsRuntime {
  /**
   * Records executions of tests, any number of them, in any order. All of them are validated before the first one is written.
   * They are written in chunks of some hundreds, each in one commit. The call can be repeated: recording an execution twice
   * has no effect.
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
   * Marks a flaky test as resolved. Nothing clears the mark (decisions 10).
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

/** The result of recording executions. */
export interface RecordResult {
  /** The number of executions in the call. */
  readonly executions: number;
  /** Ids of the tests that turned out to be flaky on another commit. */
  readonly flaky: readonly string[];
}

/** Identifies a test. */
export interface ResolveInput {
  /** Id of the test. */
  readonly test: string;
}
