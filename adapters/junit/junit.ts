import { parseTimestamp } from '../../core/contract/dates.js';
import type { ExecutionInput } from '../../core/host/tests/input.js';
import { checked, type TestRun } from './check.js';
import { decode } from './decode.js';
import { outcomes } from './outcome.js';
import { type Element, parseXml } from './xml.js';

/** What test cases take over from the suites around them. */
interface Around {
  readonly suite: string;
  readonly file: string;
  readonly at: string | undefined;
}

/**
 * Reads a JUnit XML report, of any of the tools that write one, into executions as `host.tests.record` takes them. The commit
 * and the branch are those of the run; the time is that of the test case or its suite, else that of the run.
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

  function collect(suite: Element, outside: Around): void {
    let around = within(suite, outside);
    for (const child of suite.children) {
      if (child.name === 'testcase') {
        count += 1;
        executions.push(...executionsOf(child, around, run, count));
      } else if (child.name === 'testsuite' || child.name === 'testsuites') {
        collect(child, around);
        // Mocha and Cypress name the file in an empty suite that stands before the suites of the file, not around them.
        const { name, file } = child.attributes;
        if (name === 'Root Suite' && file) around = { ...around, file };
      }
    }
  }
}

const within = (suite: Element, outside: Around): Around => ({
  // The outermost element names the run rather than a suite.
  suite: (suite.name === 'testsuite' && suite.attributes.name) || outside.suite,
  file: suite.attributes.file || outside.file,
  at: timeOf(suite) ?? outside.at,
});

function executionsOf(testcase: Element, around: Around, run: TestRun, place: number): ExecutionInput[] {
  const { name, classname, file = '', line = '' } = testcase.attributes;
  const fileName = file || around.file;
  const execution = {
    scope: classname || around.suite,
    name,
    location: file !== '' && /^\d+$/.test(line) ? `${file}:${line}` : fileName,
    file_name: fileName,
    commit: run.commit,
    branch: run.branch,
  };
  return outcomes(testcase).map(({ result, told }) => {
    const at = timeOf(told) ?? timeOf(testcase) ?? around.at;
    return checked({ ...execution, result, at }, `Test case ${place}`);
  });
}

/** Only strict ISO 8601 is a time: what else stands there says nothing. */
const timeOf = ({ attributes }: Element): string | undefined => parseTimestamp(attributes.timestamp ?? '');
