import type { ExecutionInput } from '../../core/runtime/test-executions/execution-input.js';
import type { Element } from './xml.js';

/** One execution within a test case element. */
export interface Outcome {
  readonly result: ExecutionInput['result'];
  /** The element that describes the execution, which may have a timestamp. */
  readonly element: Element;
}

/** Failed runs before a last run that passed: Surefire, Gradle's test-retry, cargo-nextest, Playwright. */
const failedBefore = ['flakyFailure', 'flakyError'];
/** Failed runs in addition to the one in `failure` or `error`. */
const failedAgain = ['rerunFailure', 'rerunError'];
const failed = ['failure', 'error'];
const skipped = ['skipped', 'disabled'];

/** CTest and GoogleTest state some results in an attribute, without an element. */
const failedStatus = /^(fail|failed|failure|error)$/i;
const skippedStatus = /^(notrun|skipped|disabled|suppressed)$/i;

/** All executions of a test case: usually one, more if the tool runs failed tests again. */
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
    // With failed reruns only, nothing in the report says that a run passed.
    return childrenNamed(failedAgain).length > 0 && childrenNamed(failedBefore).length === 0 ? 'failed' : 'passed';
  }
}
