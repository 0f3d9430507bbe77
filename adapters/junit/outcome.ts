import type { ExecutionInput } from '../../core/host/tests/input.js';
import type { Element } from './xml.js';

/** One of the executions that a test case tells of. */
export interface Outcome {
  readonly result: ExecutionInput['result'];
  /** The element that tells of it, which may name a time. */
  readonly told: Element;
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
export function outcomes(testcase: Element): Outcome[] {
  const named = (names: readonly string[]) => testcase.children.filter(({ name }) => names.includes(name));
  const { status = '', result = '' } = testcase.attributes;
  const others = [...named(failedBefore), ...named(failedAgain)].map((told) => ({ result: 'failed' as const, told }));
  return [...others, { result: last(), told: testcase }];

  function last(): Outcome['result'] {
    if (named(failed).length > 0 || failedStatus.test(status)) return 'failed';
    if (named(skipped).length > 0 || skippedStatus.test(status) || skippedStatus.test(result)) return 'skipped';
    // Where all that is told is reruns that failed, nothing says that one of them passed.
    return named(failedAgain).length > 0 && named(failedBefore).length === 0 ? 'failed' : 'passed';
  }
}
