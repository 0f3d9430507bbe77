import test from 'ava';
import fc from 'fast-check';
import { scaledRuns, seed } from '../../conformance/property-settings.js';
import { type ApiError, isApiError } from '../errors/index.js';
import { type Method, router, splitTarget } from './router.js';

const settings = { seed, numRuns: scaledRuns(1_000) };

const routes = router([
  { methods: ['GET'], paths: ['/'], target: 'root' },
  { methods: ['GET'], paths: ['/v2/user'], target: 'user' },
  { methods: ['GET'], paths: ['/v2/o/{organization}/things'], target: 'list' },
  { methods: ['POST'], paths: ['/v2/o/{organization}/things', '/v2/o/{organization}/thing'], target: 'create' },
  { methods: ['PUT', 'PATCH'] as Method[], paths: ['/v2/o/{organization}/things/{pipeline}'], target: 'update' },
  { methods: ['DELETE'], paths: ['/v2/o/{organization}/things/{pipeline}'], target: 'remove' },
]);

/** What a request comes to: the route and its parameters, or status and message. */
function outcome(method: string, path: string): unknown {
  const match = routes.match(method, path);
  return isApiError(match) ? [match.output.statusCode, match.message] : [match.route, ...Object.values(match.params)];
}
const noRoute = (method: string, path: string) => [404, `No route matches ${method} ${path}`];

const segment = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
  .filter((text) => text !== '.' && text !== '..');

test('parameters are decoded once, segment by segment, whatever is in them', (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(segment, segment, fc.constantFrom('', '/'), (one, other, slash) => {
        const path = `/v2/o/${encodeURIComponent(one)}/things/${encodeURIComponent(other)}${slash}`;
        t.deepEqual(outcome('PUT', path), ['update', one, other]);
        t.deepEqual(outcome('DELETE', `/v2/o/%2541/things/${encodeURIComponent(other)}`), ['remove', '%41', other]);
      }),
      settings,
    ),
  );
});

test('empty and dot segments match nothing, wherever they stand, and are never resolved', (t) => {
  const path = fc.constantFrom('/v2/user', '/v2/o/acme/things', '/v2/o/acme/things/x');
  t.notThrows(() =>
    fc.assert(
      fc.property(path, fc.constantFrom('', '.', '..'), fc.nat(5), (given, dots, at) => {
        const segments = given.split('/');
        segments.splice(1 + (at % segments.length), 0, dots);
        const made = segments.join('/');
        if (dots === '' && made === `${given}/`) return;
        t.deepEqual(outcome('GET', made), noRoute('GET', made));
        t.deepEqual(routes.allowed(made), []);
      }),
      settings,
    ),
  );
});

test('any path and method is matched or refused with 400, 404 or 405, with or without a trailing slash alike', (t) => {
  const path = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^(\/(v2|o|user|things|thing|acme|%|%ff|%2f|\.|\*{1,2}|:x))*$/),
  );
  const method = fc.oneof(fc.constantFrom('GET', 'POST', 'PUT', 'get', 'TRACE', 'constructor'), fc.string());
  t.notThrows(() =>
    fc.assert(
      fc.property(path, method, (given, verb) => {
        const match = routes.match(verb, given);
        if (isApiError(match)) return [400, 404, 405].includes(match.output.statusCode);
        t.deepEqual(given === '/' || given.endsWith('/') ? match : routes.match(verb, `${given}/`), match);
        return true;
      }),
      settings,
    ),
  );
});

test('a path has the methods of all its routes; HEAD goes as GET, OPTIONS is always there', (t) => {
  t.deepEqual(routes.allowed('/v2/o/a/things/'), ['GET', 'HEAD', 'POST', 'OPTIONS']);
  t.deepEqual(routes.allowed('/v2/o/a/things/b'), ['PUT', 'PATCH', 'DELETE', 'OPTIONS']);
  t.deepEqual(routes.allowed('/v2/o/a/thing'), ['POST', 'OPTIONS']);
  t.deepEqual(routes.allowed('/v2'), []);
  t.deepEqual(outcome('HEAD', '/v2/o/a/things'), ['list', 'a']);
  const refused = routes.match('DELETE', '/v2/o/a/things');
  t.true(isApiError(refused));
  t.deepEqual((refused as ApiError).output.headers, { Allow: 'GET, HEAD, POST, OPTIONS' });
});

const malformed = [400, 'The path has a malformed escape'];
const examples: readonly (readonly [string, string, unknown])[] = [
  ['GET', '/', ['root']],
  ['GET', '/v2/user/', ['user']],
  ['POST', '/v2/user', [405, 'Method not allowed']],
  ['HEAD', '/v2/o/a/thing', [405, 'Method not allowed']],
  ['get', '/v2/user', [405, 'Method not allowed']],
  ['PATCH', '/v2/o/a/things/b', ['update', 'a', 'b']],
  ['POST', '/v2/o/a/thing/', ['create', 'a']],
  ['GET', '/v2/o/a%2Fb/things', ['list', 'a/b']],
  ['GET', '/v2/o/*/things', ['list', '*']],
  ['GET', '/v2/o/:organization/things', ['list', ':organization']],
  ['GET', '/v2/o/__proto__/things', ['list', '__proto__']],
  ['GET', '/V2/user', noRoute('GET', '/V2/user')],
  ['GET', '//v2/user', noRoute('GET', '//v2/user')],
  ['GET', '/v2/user//', noRoute('GET', '/v2/user//')],
  ['GET', '//', noRoute('GET', '//')],
  ['GET', '*', noRoute('GET', '*')],
  ['GET', 'v2/user', noRoute('GET', 'v2/user')],
  ['GET', '/v2/o/%/things', malformed],
  ['GET', '/v2/o/%ff/things', malformed],
  ['PUT', '/v2/o/%e0%a4/things', malformed],
  ['GET', '/nowhere/%', malformed],
];

for (const [method, path, wanted] of examples) {
  test(`${method} ${path}`, (t) => t.deepEqual(outcome(method, path), wanted));
}

test('two operations with the same method and path are an error', (t) => {
  const twice = { methods: ['GET'] as Method[], paths: ['/a/{organization}'], target: 1 };
  t.throws(() => router([twice, twice]), { message: 'Two operations at GET /a/{organization}' });
});

const targets: Readonly<Record<string, readonly [string, string]>> = {
  '/v2/user?a=1?b': ['/v2/user', 'a=1?b'],
  '/v2/user#x?y': ['/v2/user', ''],
  'http://host:1/v2/user?a': ['/v2/user', 'a'],
  'HTTPS://host/v2//x': ['/v2//x', ''],
  'http://host?a=1': ['/', 'a=1'],
  'http://host': ['/', ''],
  '//host/v2/user': ['//host/v2/user', ''],
  '*': ['*', ''],
  '?a': ['/', 'a'],
};

for (const [target, [path, query]] of Object.entries(targets)) {
  test(`the target ${target} is ${path} with the query ${query || 'nothing'}`, (t) => {
    t.deepEqual(splitTarget(target), { path, query });
  });
}
