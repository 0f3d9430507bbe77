import test from 'ava';
import { parseJUnit } from './index.js';

const run = { commit: 'c1', branch: 'main' };
const suite = (inner: string) => `<testsuite name="S">${inner}</testsuite>`;
const parse = (xml: string) => parseJUnit(xml, run);
const names = (xml: string) => parse(xml).map(({ name }) => name);

test('junit.times', (t) => {
  const at = (attributes: string, overrides: { at?: string } = {}) =>
    parseJUnit(`<testsuites ${attributes}><testsuite><testcase name="a"/></testsuite></testsuites>`, {
      ...run,
      ...overrides,
    })[0];
  t.is(at('timestamp="2026-01-05T10:00:00+02:00"')?.at, '2026-01-05T08:00:00.000Z');
  for (const wrong of ['timestamp="yesterday"', 'timestamp="2026-02-30T00:00:00"', 'timestamp="1767603600"', '']) {
    t.is(at(wrong, { at: '2026-01-01' })?.at, '2026-01-01');
    t.false(Object.hasOwn(at(wrong) ?? {}, 'at'), 'without a time, the time of recording applies');
  }
});

test('junit.scope', (t) => {
  const scopes = (xml: string) => parse(xml).map(({ scope }) => scope);
  t.deepEqual(
    scopes(suite('<testcase name="a"/><testcase name="b" classname=""/><testcase name="c" classname="C"/>')),
    ['S', 'S', 'C'],
  );
  t.deepEqual(scopes('<testsuites name="all"><testcase name="a"/></testsuites>'), ['']);
  t.deepEqual(scopes(`<testsuite name="outer">${suite('<testcase name="a"/>')}<testcase name="b"/></testsuite>`), [
    'S',
    'outer',
  ]);
});

test('junit.references', (t) => {
  t.deepEqual(names(suite('<testcase name="&lt;&amp;&gt;&quot;&apos;&#65;&#x1F600;"/>')), ['<&>"\'A\u{1f600}']);
  t.deepEqual(names(suite('<testcase name="&amp;lt; &amp;#65;"/>')), ['&lt; &#65;'], 'decoded once');
  t.deepEqual(names(suite('<testcase name="&nbsp; &constructor; & &#xZ;"/>')), ['&nbsp; &constructor; & &#xZ;']);
  t.deepEqual(names(suite('<testcase name="&#27;[31m &#0; &#xD800; &#x110000; &#99999999999;"/>')), [
    '\u001b[31m \ufffd \ufffd \ufffd \ufffd',
  ]);
  t.deepEqual(names(suite('<testcase name="a\n\tb &#10;c"/>')), ['a  b \nc']);
  t.deepEqual(names(suite(`<testcase name='it"s'/><testcase name="  kept  "/><testcase name="007"/>`)), [
    'it"s',
    '  kept  ',
    '007',
  ]);
});

test('junit.text-is-no-markup', (t) => {
  const output = '<system-out><![CDATA[<testcase name="x"/><!DOCTYPE html>]]></system-out>';
  t.deepEqual(
    names(suite(`${output}<!-- <testcase name="y"/> <!DOCTYPE a> --><testcase name="a">${output}</testcase>`)),
    ['a'],
  );
  t.deepEqual(names(suite('<properties><property name="p" value="v"/></properties>')), []);
  t.deepEqual(names('<testsuites/>'), []);
});

test('junit.outcomes', (t) => {
  const results = (inner: string, attributes = '') =>
    parse(suite(`<testcase name="a" ${attributes}>${inner}</testcase>`)).map(({ result }) => result);
  t.deepEqual(results('<failure/><error/>'), ['failed']);
  t.deepEqual(results('<skipped/><failure/>'), ['failed']);
  t.deepEqual(results('<flakyFailure/>'), ['failed', 'passed']);
  t.deepEqual(results('<rerunFailure/>'), ['failed', 'failed']);
  t.deepEqual(results('<rerunError/><flakyError/>'), ['failed', 'failed', 'passed']);
  t.deepEqual(results('', 'status="FAILED"'), ['failed']);
  t.deepEqual(results('', 'status="skipped"'), ['skipped']);
  t.deepEqual(results('', 'status="run" result="completed"'), ['passed']);
});

const broken: Readonly<Record<string, readonly [string, RegExp]>> = {
  empty: ['', /^The document is empty$/],
  blank: ['\ufeff \n', /^The document is empty$/],
  text: ['ok 1 - adds up', /not well-formed XML: it does not begin/],
  json: ['{"executions": []}', /not well-formed XML: it does not begin/],
  'declaration only': ['<?xml version="1.0"?>', /not well-formed XML/],
  'another root': ['<html><body/></html>', /not a JUnit report: its root element is <html>$/],
  'xunit itself': ['<assemblies><assembly/></assemblies>', /root element is <assemblies>/],
  truncated: ['<testsuite name="a"><testcase name="b"', /ends too early|not well-formed/],
  'truncated between': [
    '<testsuites><testsuite name="a"><testcase name="b"/>',
    /ends too early: several elements are open/,
  ],
  'truncated early': ['<testsuites>', /ends too early: Unclosed tag 'testsuites'/],
  'truncated in a value': ['<testsuite name="a', /ends too early/],
  'truncated in CDATA': ['<testsuite><system-out><![CDATA[ a', /ends too early: inside/],
  'truncated in a comment': ['<testsuite><!-- a', /ends too early: inside/],
  mismatched: [
    '<testsuite><testcase name="a"></testsuite></testcase>',
    /not well-formed XML: .*\(line 1, column \d+\)$/,
  ],
  'two roots': ['<testsuite></testsuite><testsuite></testsuite>', /not well-formed XML: Multiple/],
  'text after': ['<testsuite></testsuite> ok', /not well-formed XML: Extra text/],
  'attribute twice': ['<testsuite><testcase name="a" name="b"/></testsuite>', /not well-formed XML: .*repeated/],
  doctype: ['<!DOCTYPE testsuite><testsuite/>', /^The document has a DOCTYPE, which is not accepted$/],
  'doctype in small letters': ['<?xml version="1.0"?>\n<!doctype html><html/>', /DOCTYPE/],
  'doctype inside': ['<testsuite><!DOCTYPE a [<!ENTITY b "c">]></testsuite>', /DOCTYPE/],
  laughs: ['<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><testsuite name="&b;"/>', /DOCTYPE/],
  entity: ['<testsuite><!ENTITY a "b"></testsuite>', /stray "<!"/],
  deep: [`${'<testsuite>'.repeat(101)}${'</testsuite>'.repeat(101)}`, /nested more than 100 deep/],
  'very deep': [`${'<testsuite>'.repeat(50_000)}${'</testsuite>'.repeat(50_000)}`, /nested more than 100 deep/],
  nameless: [suite('<testcase name="a"/><testcase classname="b"/>'), /^Test case 2 has no name$/],
  'empty name': [suite('<testcase name=""/>'), /^Test case 1 has no name$/],
  'long name': [
    suite(`<testcase name="${'x'.repeat(10_001)}"/>`),
    /^The name of test case 1 is longer than 10000 characters$/,
  ],
  'long file': [suite(`<testcase name="a" file="${'x'.repeat(10_001)}"/>`), /^The location of test case 1 is longer/],
  nul: [suite('<testcase name="a\u0000"/>'), /^The name of test case 1 has a character that cannot be stored$/],
  'lone surrogate': [suite('<testcase name="a\ud800"/>'), /cannot be stored/],
  'name of a prototype': [suite('<testcase name="a" __proto__="b"/>'), /not well-formed XML/],
};
for (const [name, [xml, message]] of Object.entries(broken)) {
  test(`junit.refused.${name}`, (t) => {
    t.throws(() => parse(xml), { instanceOf: Error, message });
  });
}

test('junit.run', (t) => {
  const xml = suite('<testcase name="a"/>');
  t.throws(() => parseJUnit(xml, { commit: '', branch: 'main' }), { message: 'Test case 1 has no commit' });
  t.throws(() => parseJUnit(xml, { commit: 'c', branch: 'b'.repeat(256) }), {
    message: /^The branch .* longer than 255/,
  });
  t.throws(() => parseJUnit(xml, { ...run, at: 'now' }), { message: /^The time of test case 1 is not an ISO 8601/ });
});

test('junit.depth-that-is-allowed', (t) => {
  const inner = '<testcase name="a"></testcase>';
  t.is(parse(`${'<testsuite>'.repeat(99)}${inner}${'</testsuite>'.repeat(99)}`).length, 1);
});

test('junit.large', (t) => {
  const time = (count: number) => {
    const output = `<system-out><![CDATA[${'line of output\n'.repeat(20)}]]></system-out>`;
    const cases = Array.from(
      { length: count },
      (_, n) => `<testcase classname="c${n % 50}" name="t${n}" time="0.1">${n % 7 ? '' : output}</testcase>\n`,
    );
    const startedAt = performance.now();
    t.is(parse(suite(cases.join(''))).length, count);
    return performance.now() - startedAt;
  };
  time(1_000);
  const [few, many] = [time(5_000), time(20_000)];
  t.log(`5,000: ${Math.round(few)} ms; 20,000: ${Math.round(many)} ms`);
  t.true(many < few * 16 + 2_000, 'the time grows linearly with the report');
});

test('junit.hostile-shapes-are-linear', (t) => {
  const long = 400_000;
  const startedAt = performance.now();
  for (const xml of [
    suite(`<system-out>${'x'.repeat(long)}</system-out>`),
    suite(`<testcase name="a" ${' '.repeat(long)}/>`),
    suite('<!---->'.repeat(long / 10)),
    suite('<![CDATA[]]>'.repeat(long / 10)),
    suite('&amp;'.repeat(long / 5)),
    suite(`<testcase name="a" file="${'&'.repeat(long)}"/>`),
    suite('<a b="c"/>'.repeat(long / 10)),
    `<testsuite ${Array.from({ length: 5_000 }, (_, n) => `a${n}="b"`).join(' ')}></testsuite>`,
    '<'.repeat(long),
    '<?'.repeat(long / 2),
    `<testsuite>${'<a'.repeat(long / 2)}`,
    `<testsuite ${'a="'.repeat(long / 4)}`,
    `<testsuite ${'= '.repeat(long / 2)}/>`,
  ]) {
    try {
      parse(xml);
    } catch {
      // An error is fine as well: only the time is tested.
    }
  }
  const took = performance.now() - startedAt;
  t.log(`${Math.round(took)} ms`);
  t.true(took < 15_000);
});
