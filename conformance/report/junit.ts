import { count, type Report, type Result } from '../runner/result.js';
import { escapeMarkup } from './escape-markup.js';
import { failureDetails } from './failure-details.js';
import { warnings } from './headline.js';

/**
 * The report as JUnit XML with a suite for each level. Cases that were not reached are skipped with a reason. Warnings are
 * properties of every suite.
 */
export function junitReport(report: Report): string {
  const levels = new Map<string, Result[]>();
  for (const result of report.results) {
    const ofLevel = levels.get(result.level);
    if (ofLevel) ofLevel.push(result);
    else levels.set(result.level, [result]);
  }
  const properties = warnings(report).map((one) => `<property name="warning" value="${escapeMarkup(one)}"/>`);
  const propertiesElement = properties.length === 0 ? [] : [`    <properties>${properties.join('')}</properties>`];
  const suites = [...levels].flatMap(([name, results]) => [
    `  <testsuite name="${escapeMarkup(name)}" ${totals(results)}>`,
    ...propertiesElement,
    ...results.map((result) => testcase(report, result)),
    '  </testsuite>',
  ]);
  const { subject, results } = report;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escapeMarkup(subject)}" ${totals(results)}>`,
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

function totals(results: readonly Result[]): string {
  const skipped = count(results, 'Skip') + count(results, 'NotReached');
  const took = results.reduce((sum, result) => sum + result.took, 0);
  return `tests="${results.length}" failures="${count(results, 'Fail')}" errors="${count(results, 'Error')}" skipped="${skipped}" time="${seconds(took)}"`;
}

function testcase(report: Report, result: Result): string {
  const { level, id, status, took, reason = '', fault } = result;
  const head = `    <testcase classname="${escapeMarkup(level)}" name="${escapeMarkup(id)}" time="${seconds(took)}"`;
  if (status === 'Pass') return `${head}/>`;
  if (fault === undefined) return `${head}><skipped message="${escapeMarkup(reason)}"/></testcase>`;
  const kind = status === 'Fail' ? 'failure' : 'error';
  const text = failureDetails(report, result)
    .map(([label, detail]) => `${label}: ${detail}`)
    .join('\n');
  const [line = ''] = fault.message.split('\n', 1);
  return `${head}><${kind} type="${status}" message="${escapeMarkup(line)}">${escapeMarkup(text)}</${kind}></testcase>`;
}

const seconds = (milliseconds: number): string => (milliseconds / 1_000).toFixed(3);
