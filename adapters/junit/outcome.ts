import type { ExecutionInput } from '../../core/runtime/test-executions/execution-input.js';
import type { Element } from './xml.js';

/** One of the executions that a test case tells of. */
export interface Outcome {
  readonly result: ExecutionInput['result'];
  /** The element that tells of it, which may name a time. */
  readonly element: Element;
}

/** Runs that failed before the last one, which passed: Surefire, Gradle's test-retry, cargo-nextest, Playwright. */
const failedBefore = ['flakyFailure', 'flakyError'];
/** Runs that failed as well as the one that `failure` or `error` tells of. */
const failedAgain = ['rerunFailure', 'rerunError'];
const failed = ['failure', 'error'];
const skipped = ['skipped', 'disabled'];

/** What CTest and GoogleTest say of a test in an attribute, some of it without any element. */
const failedStatus = /^(fail|failed|failure|error)$/i;
const skippedStatus = /^(notrun|skipped|disabled|suppressed)$/i;

/** Every execution that a test case tells of: mostly one, more where a tool runs failed tests again. */
export function outcomesOf(testcase: Element): Outcome[] {
  const childrenNamed = (names: readonly string[]) => testcase.children.filter(({ name }) => names.includes(name));
  const { status = '', result = '' } = testcase.attributes;
  const reruns = [...childrenNamed(failedBefore), ...childrenNamed(failedAgain)].map((element) => ({
    result: 'failed' as const,
    element,
  }));
  return [...reruns, { result: finalResult(), element: testcase }];

  function finalResult(): Outcome['result'] {
    if (childrenNamed(failed).length > 0 || failedStatus.test(status)) return 'failed';
    if (childrenNamed(skipped).length > 0 || skippedStatus.test(status) || skippedStatus.test(result)) return 'skipped';
    // Where all that is told is reruns that failed, nothing says that one of them passed.
    return childrenNamed(failedAgain).length > 0 && childrenNamed(failedBefore).length === 0 ? 'failed' : 'passed';
  }
}
