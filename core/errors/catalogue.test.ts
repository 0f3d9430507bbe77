import { readdirSync, readFileSync } from 'node:fs';
import test from 'ava';
import { type ApiError, catalogue, type ErrorEntry, errors, isApiError } from './index.js';

const entries = Object.entries<ErrorEntry>(catalogue);

/** The sources of a folder, without its tests, by path. */
const sourcesOf = (folder: string): [path: string, text: string][] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.c?ts$/.test(path) && !/\.test\.ts$/.test(path))
    .map((path) => [`${folder}/${path}`, readFileSync(`${folder}/${path}`, 'utf8')]);

const outsideOfErrors = [...sourcesOf('core'), ...sourcesOf('adapters'), ...sourcesOf('conformance')].filter(
  ([path]) => !path.startsWith('core/errors/') || path === 'core/errors/result.ts',
);

test('codes are unique, and of lower-case words joined by dots', (t) => {
  const codes = entries.map(([, { code }]) => code);
  t.deepEqual(
    codes.filter((code, index) => codes.indexOf(code) !== index),
    [],
  );
  for (const code of codes) t.regex(code, /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$/);
});

test('every error is made somewhere, and what is made is in the catalogue', (t) => {
  const used = new Set(
    outsideOfErrors.flatMap(([, text]) => [...text.matchAll(/\berrors\.(\w+)\b/g)].map(([, name]) => name)),
  );
  for (const [name] of entries) t.true(used.has(name), name);
});

test('Boom is used by the errors alone', (t) => {
  for (const [path, text] of outsideOfErrors) t.notRegex(text, /\bBoom\(|@hapi\/boom/, path);
});

const valuesOf = ({ message, headers = {}, details }: ErrorEntry): Readonly<Record<string, unknown>> => {
  const names = [message, ...Object.values(headers)].flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)]);
  // A value that looks like a placeholder stays as it is.
  return { ...Object.fromEntries(names.map(([, name]) => [name, '{x}'])), ...(details ? { [details]: ['y'] } : {}) };
};

for (const [name, entry] of entries) {
  test(`${name} makes the error of the catalogue`, (t) => {
    const makeError = errors[name as keyof typeof errors] as (values: object) => ApiError;
    const error = makeError(valuesOf(entry));
    t.true(isApiError(error));
    t.deepEqual(error.data as object, { code: entry.code, ...(entry.details ? { [entry.details]: ['y'] } : {}) });
    t.is(error.output.statusCode, entry.status);
    t.is(error.message, entry.message.replace(/\{\w+\}/g, '{x}'));
    t.deepEqual(Object.keys(error.output.headers), Object.keys(entry.headers ?? {}));
    t.regex(error.stack ?? '', /^.*\n.*catalogue\.test/, 'the stack begins where the error was made');
  });
}

test('only what is made of the catalogue is an error of the API', (t) => {
  const error = errors.queuePaused();
  t.true(isApiError(error, 'queue.paused'));
  t.false(isApiError(error, 'queue.not_paused'));
  const others = [null, undefined, 'queue.paused', { isBoom: true, data: { code: 'queue.paused' } }, new Error('x')];
  for (const other of others) t.false(isApiError(other));
  t.false(isApiError(Object.assign(new Error('x'), { isBoom: true, data: null })));
  t.false(isApiError(Object.assign(new Error('x'), { isBoom: true, data: { code: 'toString' } })));
});
