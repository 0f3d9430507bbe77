import type { ExecutionInput } from '../../core/runtime/test-executions/execution-input.js';
import { parseTimestamp } from '../../core/schema/timestamps.js';
import { decode } from './decode.js';
import { outcomesOf } from './outcome.js';
import { type TestRun, validateExecution } from './validate-execution.js';
import { type Element, parseXml } from './xml.js';

/** What test cases inherit from the suites around them. */
interface SuiteContext {
  readonly suite: string;
  readonly file: string;
  readonly at: string | undefined;
}

/**
 * Reads a JUnit XML report of any tool into executions as `runtime.tests.record` takes them. Commit and branch are those of the run.
 * The time is that of the test case, else of its suite, else of the run.
 * Throws an `Error` that says what is wrong with the document.
 */
export function parseJUnit(xml: string | Uint8Array, run: TestRun): ExecutionInput[] {
  const root = parseXml(typeof xml === 'string' ? xml : decode(xml));
  if (root.name !== 'testsuites' && root.name !== 'testsuite') {
    throw new Error(`The document is not a JUnit report: its root element is <${root.name}>`);
  }
  const executions: ExecutionInput[] = [];
  let count = 0;
  collect(root, { suite: '', file: '', at: run.at });
  return executions;

  function collect(suite: Element, outerContext: SuiteContext): void {
    let context = nestedContext(suite, outerContext);
    for (const child of suite.children) {
      if (child.name === 'testcase') {
        count += 1;
        executions.push(...executionsOf(child, context, run, count));
      } else if (child.name === 'testsuite' || child.name === 'testsuites') {
        collect(child, context);
        // Mocha and Cypress name the file in an empty suite before the suites of the file, not in an enclosing one.
        const { name, file } = child.attributes;
        if (name === 'Root Suite' && file) context = { ...context, file };
      }
    }
  }
}

const nestedContext = (suite: Element, outerContext: SuiteContext): SuiteContext => ({
  // The outermost element names the run rather than a suite.
  suite: (suite.name === 'testsuite' && suite.attributes.name) || outerContext.suite,
  file: suite.attributes.file || outerContext.file,
  at: timeOf(suite) ?? outerContext.at,
});

function executionsOf(testcase: Element, context: SuiteContext, run: TestRun, position: number): ExecutionInput[] {
  const { name, classname, file = '', line = '' } = testcase.attributes;
  const fileName = file || context.file;
  const execution = {
    scope: classname || context.suite,
    name,
    location: file !== '' && /^\d+$/.test(line) ? `${file}:${line}` : fileName,
    file_name: fileName,
    commit: run.commit,
    branch: run.branch,
  };
  return outcomesOf(testcase).map(({ result, element }) => {
    const at = timeOf(element) ?? timeOf(testcase) ?? context.at;
    return validateExecution({ ...execution, result, at }, `Test case ${position}`);
  });
}

/** The timestamp of an element if it is strict ISO 8601; other texts are ignored. */
const timeOf = ({ attributes }: Element): string | undefined => parseTimestamp(attributes.timestamp ?? '');
