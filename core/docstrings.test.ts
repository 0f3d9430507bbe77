import { readFileSync } from 'node:fs';
import test from 'ava';
import { catalogue } from './errors/catalogue/index.js';

const declarations = [
  './api.d.ts',
  './events.d.ts',
  './provisioning/provision.d.ts',
  './runtime/runtime.d.ts',
  './runtime/test-executions/tests-runtime.d.ts',
].map((path) => ({ path, text: readFileSync(new URL(path, import.meta.url), 'utf8') }));

test('every error code that a docstring names is in the catalogue, with that status', (t) => {
  const statuses = Object.fromEntries(Object.values(catalogue).map(({ code, status }) => [code, status]));
  const named = declarations.flatMap(({ text }) => [...text.matchAll(/`([a-z_]+(?:\.[a-z_]+)+)` \((\d{3})\)/g)]);
  t.true(named.length > 40);
  for (const [, code = '', status = ''] of named) t.is(String(statuses[code]), status, code);
});

test('every method and property of the public interfaces has a docstring in what is published', (t) => {
  for (const { path, text } of declarations) {
    const members = [
      ...text.matchAll(/(\*\/)?\n {4}(?:readonly )?(\w+)(?:\(|: \w+(?:Runtime|Provision|Runtime|EventFeed);)/g),
    ];
    t.true(members.length > 0, path);
    for (const [, docstring, name] of members) t.truthy(docstring, `${path}: ${name}`);
  }
});

test('what createApi, the runtime and provisioning show to a reader is named, and fits on a page', (t) => {
  for (const { path, text } of declarations) {
    const code = text.replace(/\/\*\*.*?\*\//gs, '');
    t.notRegex(code, /ReturnType</, path);
    t.true(code.length < 5_000, `${path}: ${code.length} characters`);
  }
});
