import type { RecordInput } from '../../../core/runtime/test-executions/index.js';
import { type Calendar, day, isoTime, minute } from './calendar.js';
import { commitHash, integerBetween } from './seeded-random.js';
import { demoSummary } from './summary.js';

/** A test of the demo's suite. A flaky one fails on some commits and passes on the same commit when it runs again. */
interface DemoTest {
  readonly scope: string;
  readonly name: string;
  readonly line: number;
  /** Percentage of the commits on which it fails first. */
  readonly failurePercent: number;
}

const tests: readonly DemoTest[] = [
  { scope: 'Checkout', name: 'charges the card once', line: 14, failurePercent: 25 },
  { scope: 'Checkout', name: 'survives a double click', line: 41, failurePercent: 60 },
  { scope: 'Checkout', name: 'mails a receipt', line: 77, failurePercent: 0 },
  { scope: 'Search', name: 'finds words with umlauts', line: 9, failurePercent: 0 },
  { scope: 'Search', name: 'answers within 100 % of its budget', line: 33, failurePercent: 35 },
  { scope: 'Search', name: 'pages through 10_000 results', line: 58, failurePercent: 15 },
  { scope: 'Sign-in', name: 'locks out after five attempts', line: 21, failurePercent: 0 },
  { scope: 'Sign-in', name: 'remembers the device', line: 48, failurePercent: 20 },
  { scope: 'Images', name: 'scales a PNG', line: 12, failurePercent: 0 },
  { scope: 'Images', name: 'waits for the upload', line: 30, failurePercent: 45 },
];

const runCount = 24;

/** The test runs of the last six days: a commit every few hours, on `main` and two other branches. */
export function testRuns(calendar: Calendar): RecordInput {
  const executions = Array.from({ length: runCount }, (_, run) => run).flatMap((run) => {
    const at = calendar.now - 6 * day + Math.floor((run * 6 * day) / runCount);
    const branch = ['main', 'main', 'checkout-redesign', 'main', 'faster-search'][run % 5] ?? 'main';
    return tests.flatMap((test) => executionsOf(test, commitHash(`test run ${run}`), branch, at));
  });
  return { organization: demoSummary.organization, suite: demoSummary.suite, executions };
}

function executionsOf(test: DemoTest, commit: string, branch: string, at: number) {
  const file = `./spec/${test.scope.toLowerCase()}_spec.rb`;
  const execution = (result: 'passed' | 'failed', minutes: number) => ({
    scope: test.scope,
    name: test.name,
    location: `${file}:${test.line}`,
    file_name: file,
    result,
    commit,
    branch,
    at: isoTime(at + minutes * minute),
  });
  const fails = integerBetween(`${commit} ${test.name}`, 1, 100) <= test.failurePercent;
  return fails ? [execution('failed', 1), execution('passed', 4)] : [execution('passed', 1)];
}
