import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { type Format, parseJUnit, readExecutions, readFiles } from './index.js';

const run = { commit: 'c1', branch: 'main', at: '2026-01-01T00:00:00Z' };
const xml = (declaration: string) => `${declaration}<testsuite name="Größe ✓"><testcase name="ü€😀"/></testsuite>`;
const utf16le = (text: string) => Buffer.from(text, 'utf16le');
const utf16be = (text: string) => utf16le(text).swap16();

const encoded: Readonly<Record<string, Uint8Array>> = {
  'utf-8': Buffer.from(xml('<?xml version="1.0" encoding="UTF-8"?>')),
  'utf-8, undeclared': Buffer.from(xml('')),
  'utf-8 with a mark': Buffer.from(`\ufeff${xml("<?xml version='1.0' encoding='utf8'?>")}`),
  'utf-16 le with a mark': utf16le(`\ufeff${xml('<?xml version="1.0" encoding="UTF-16"?>')}`),
  'utf-16 be with a mark': utf16be(`\ufeff${xml('<?xml version="1.0" encoding="utf-16"?>')}`),
  'utf-16 le': utf16le(xml('<?xml version="1.0" encoding="UTF-16LE"?>')),
  'utf-16 be': utf16be(xml('<?xml version="1.0"?>')),
};
for (const [name, bytes] of Object.entries(encoded)) {
  test(`junit.encoding.${name}`, (t) => {
    const [execution] = parseJUnit(bytes, run);
    t.deepEqual([execution?.scope, execution?.name], ['Größe ✓', 'ü€😀']);
  });
}

const undecodable: Readonly<Record<string, readonly [Uint8Array, RegExp]>> = {
  'latin-1': [
    Buffer.from(xml('<?xml version="1.0" encoding="ISO-8859-1"?>'), 'latin1'),
    /encoding of the document is ISO-8859-1; only/,
  ],
  'latin-1, undeclared': [Buffer.from('<testsuite name="Größe"/>', 'latin1'), /^The document is not valid UTF-8$/],
  'not utf-16': [
    Buffer.from(xml('<?xml version="1.0" encoding="utf-16"?>')),
    /says that it is utf-16, which it is not/,
  ],
  'half of utf-16': [utf16le(`\ufeff${xml('')}`).subarray(0, -1), /^The document is not valid UTF-16$/],
  'utf-32': [Buffer.from([0xff, 0xfe, 0, 0, 0x3c, 0, 0, 0]), /UTF-32/],
  gzip: [Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]), /not valid UTF-8/],
  nothing: [new Uint8Array(0), /empty/],
};
for (const [name, [bytes, message]] of Object.entries(undecodable)) {
  test(`junit.encoding.refused.${name}`, (t) => {
    t.throws(() => parseJUnit(bytes, run), { instanceOf: Error, message });
  });
}

test('json.executions', (t) => {
  const one = { name: 'adds up', result: 'passed' };
  const other = {
    scope: 'S',
    name: 'b',
    location: 'f:1',
    file_name: 'f',
    result: 'failed',
    commit: 'c2',
    branch: 'b2',
    at: '2026-02-01',
  };
  const read = (value: unknown) => readExecutions('json', Buffer.from(JSON.stringify(value)), run);
  const expected = [{ ...one, ...run }, other];
  t.deepEqual(read([one, { ...other, id: 7, identity: 'x' }]), expected);
  t.deepEqual(read({ executions: [one, other], more: 1 }), expected);
  t.deepEqual(read([]), []);
  t.deepEqual(readExecutions('json', '\ufeff[]', run), []);
});

const wrongJson: Readonly<Record<string, readonly [string, RegExp]>> = {
  empty: [' ', /^The document is empty$/],
  syntax: ['[{]', /^The document is not JSON: /],
  number: ['7', /neither an array nor an object/],
  null: ['null', /neither an array nor an object/],
  'no list': ['{"executions": {}}', /neither an array nor an object/],
  item: ['[{"name": "a", "result": "passed"}, null]', /^Execution 2 is not an object$/],
  nameless: ['[{"result": "passed"}]', /^Execution 1 has no name$/],
  'name of another type': ['[{"name": 7, "result": "passed"}]', /^The name of execution 1 is not a string$/],
  'null name': ['[{"name": null, "result": "passed"}]', /^The name of execution 1 is not a string$/],
  result: ['[{"name": "a", "result": "ok"}]', /^The result of execution 1 is none of passed, failed, skipped$/],
  time: ['[{"name": "a", "result": "passed", "at": 1767603600}]', /^The time of execution 1 is not an ISO 8601/],
  prototype: ['[{"__proto__": {"name": "a"}, "result": "passed"}]', /^Execution 1 has no name$/],
};
for (const [name, [text, message]] of Object.entries(wrongJson)) {
  test(`json.refused.${name}`, (t) => {
    t.throws(() => readExecutions('json', text, run), { instanceOf: Error, message });
  });
}

test('formats.unknown', (t) => {
  t.throws(() => readExecutions('tap' as Format, '', run), { instanceOf: TypeError, message: /no format tap/ });
});

test('files.all-or-nothing', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-'));
  try {
    const at = (name: string) => join(directory, name);
    await writeFile(at('a.xml'), '<testsuite name="S"><testcase name="a"/></testsuite>');
    await writeFile(at('b.xml'), '<testsuite name="S"><testcase name="b"/></testsuite>');
    await writeFile(at('bad.xml'), '<testsuite>');

    const good = await readFiles([at('b.xml'), at('a.xml')], 'junit', run);
    t.deepEqual(good.problems, []);
    t.deepEqual(
      good.executions.map(({ name }) => name),
      ['b', 'a'],
    );

    const bad = await readFiles([at('a.xml'), at('bad.xml'), at('none.xml'), directory], 'junit', run);
    t.deepEqual(bad.executions, []);
    t.deepEqual(bad.problems, [
      `${at('bad.xml')}: The document ends too early: Unclosed tag 'testsuite'.`,
      `${at('none.xml')}: There is no such file`,
      `${directory}: It is a directory`,
    ]);
    t.deepEqual(await readFiles([], 'junit', run), { executions: [], problems: [] });
  } finally {
    await rm(directory, { recursive: true });
  }
});
