import test from 'ava';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import type { Report } from '../runner/result.js';
import { htmlReport, jsonReport, junitReport, terminalReport } from './index.js';

const hostile = `<script>alert("1")</script> & ']]> \u0000\u001b[31m \ud800 é\r`;

const report: Report = {
  subject: 'storage ./<mine>.js',
  command: 'millrace conformance --storage ./mine.js',
  seed: 7,
  runs: 2,
  took: 61_234,
  results: [
    { level: 'storage', id: 'storage.good', cites: 'spec 3', status: 'Pass', took: 1_250 },
    { level: 'storage', id: 'storage.away', cites: 'spec 3', status: 'Skip', took: 0, reason: 'needs <wings>' },
    {
      level: 'service',
      id: 'builds.wrong',
      cites: 'spec 3; decisions 7',
      status: 'Fail',
      took: 12,
      fault: {
        message: `not so\n${hostile}`,
        wanted: '{ a: 1 }',
        got: `{\n  a: ${hostile}\n}`,
        counterexample: `["${hostile}"]`,
        tried: { runs: 3, shrinks: 9 },
        replay: '7|2:0|2',
        stack: 'at here',
      },
    },
    {
      level: 'service',
      id: 'builds.broke',
      cites: '',
      status: 'Error',
      took: 0,
      fault: { message: 'gone', replay: '7' },
    },
    { level: 'service', id: 'builds.late', cites: '', status: 'NotReached', took: 0, reason: 'the run was ended' },
  ],
};
const line = "millrace conformance --storage ./mine.js --level service --case builds.wrong --replay '7|2:0|2'";

test('terminal: first the counts with the skipped share, then the failures in full', (t) => {
  const text = terminalReport(report);
  const lines = text.split('\n');
  t.is(lines[0], '5 cases: 1 passed, 1 failed, 1 in error, 1 not reached, 1 skipped (20%)');
  t.is(lines[1], 'storage ./<mine>.js, seed 7, 2 times the default runs, 61.2 s');
  t.true(text.indexOf('Fail builds.wrong (spec 3; decisions 7)\n  not so\n') > 0);
  t.true(text.includes('  wanted: { a: 1 }\n  got:\n    {\n      a: <script>'));
  t.true(text.includes('  with (run 3, shrunk 9×): ["<script>'));
  t.true(text.includes(`  replay: ${line}\n`));
  t.true(text.includes('Skip needs <wings>: 1 case\nNotReached the run was ended: 1 case\n'));
  t.notRegex(text.replaceAll('\n', ''), /\p{Cc}/u, 'control characters are escaped');
});

test('terminal: a run without failures has two lines', (t) => {
  const good = { ...report, runs: 1, took: 400, results: report.results.slice(0, 1) };
  t.is(terminalReport(good), '1 case: 1 passed, 0 skipped (0%)\nstorage ./<mine>.js, seed 7, 400 ms\n');
});

test('every format warns first if most cases were skipped', (t) => {
  const skip = report.results[1] as Report['results'][number];
  const much = { ...report, results: [...report.results.slice(0, 1), skip, skip] };
  const warning = 'Most cases were skipped (2 of 3 cases): the cases that passed prove little';
  t.is(terminalReport(much).split('\n')[2], `Warning: ${warning}`);
  t.deepEqual(JSON.parse(jsonReport(much)).warnings, [warning]);
  t.regex(jsonReport(much), /^\{\n {2}"headline": "3 cases: .*",\n {2}"warnings": \[\n {4}"Most /);
  const { testsuites } = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' }).parse(junitReport(much));
  t.deepEqual(testsuites.testsuite.properties.property, { name: 'warning', value: warning });
  const html = htmlReport(much);
  t.true(html.indexOf(warning) > 0 && html.indexOf(warning) < html.indexOf('All cases'));
  t.regex(html, /<h1 class="Skip">3 cases/, 'the heading does not look like a pass');
  for (const text of [terminalReport(report), jsonReport(report), junitReport(report), htmlReport(report)])
    t.notRegex(text, /Most cases were skipped/);
});

test('JSON: the report, counts, and the commands that replay failures', (t) => {
  const { counts, results, ...rest } = JSON.parse(jsonReport(report));
  t.deepEqual(counts, { Fail: 1, Error: 1, Pass: 1, Skip: 1, NotReached: 1 });
  t.like(rest, { seed: 7, subject: report.subject });
  t.is(results[2].replay, line);
  t.is(results[2].fault.message, report.results[2]?.fault?.message);
});

test('JUnit: well-formed for hostile texts, with a suite for each level', (t) => {
  const xml = junitReport(report);
  t.true(XMLValidator.validate(xml));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test checks that the report has none of them
  t.notRegex(xml, /[\u0000-\u0008\u000b-\u001f\ud800-\udfff]/u);
  const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '', trimValues: false });
  const { testsuites } = parser.parse(xml);
  t.like(testsuites, { tests: '5', failures: '1', errors: '1', skipped: '2', name: report.subject });
  const [storage, service] = testsuites.testsuite;
  t.like(storage, { name: 'storage', tests: '2', time: '1.250' });
  t.like(storage.testcase[1].skipped, { message: 'needs <wings>' });
  const [wrong, broke, late] = service.testcase;
  t.like(wrong, { classname: 'service', name: 'builds.wrong', time: '0.012' });
  t.is(wrong.failure.message, 'not so');
  t.true(wrong.failure['#text'].includes('<script>alert("1")</script> & \']]> \\u0000\\u001b[31m \\ud800 é'));
  t.true(wrong.failure['#text'].includes(`replay: ${line}`));
  t.is(broke.error.message, 'gone');
  t.is(late.skipped.message, 'the run was ended');
});

test('HTML: one page, texts are escaped, failures come first', (t) => {
  const html = htmlReport(report);
  t.notRegex(html, /<script|<link|src=|url\(/i);
  t.true(
    html.includes('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &apos;]]&gt; \\u0000\\u001b[31m \\ud800 é'),
  );
  t.true(html.includes('<h1 class="Fail">5 cases: 1 passed'));
  t.true(html.indexOf('<h2>Failures') < html.indexOf('Cases not run'));
  t.true(html.indexOf('Cases not run') < html.indexOf('All cases'));
  t.true(html.includes('<li>Skip needs &lt;wings&gt;: 1 case'));
  t.true(html.includes('--replay &apos;7|2:0|2&apos;'));
  t.true(html.includes('prefers-color-scheme: dark'));
  const good = htmlReport({ ...report, results: report.results.slice(0, 2) });
  t.notRegex(good, /<h2>Failures/);
  t.regex(good, /<h1 class="Pass">2 cases: 1 passed, 1 skipped \(50%\)/);
});
