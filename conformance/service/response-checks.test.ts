import test from 'ava';
import fc from 'fast-check';
import { propertyParameters } from '../property-settings.js';
import { responseViolations } from './response-checks.js';
import type { WireResponse } from './wire.js';

const request = { method: 'GET', target: '/v2/user', headers: {} };
const user = {
  id: '0190a000-0000-7000-8000-000000000001',
  graphql_id: 'VXNlcg==',
  name: 'Ann',
  email: 'ann@acme.test',
  avatar_url: 'https://ci.test/ann.png',
  created_at: '2026-01-05T09:00:00.000Z',
};

const responseOf = (status: number, body: unknown): WireResponse => ({
  status,
  headers: {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'Link',
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': 'one',
  },
  text: JSON.stringify(body),
});

test('a user with exactly the fields of spec 2.1 is accepted', async (t) => {
  t.deepEqual(await responseViolations(request, responseOf(200, user)), []);
});

test('a missing, an unknown, a null and a wrongly typed field are violations', async (t) => {
  const field = fc.constantFrom(...(Object.keys(user) as (keyof typeof user)[]));
  await fc.assert(
    fc.asyncProperty(field, fc.constantFrom(undefined, null, 5, [], {}), async (name, value) => {
      const violations = await responseViolations(request, responseOf(200, { ...user, [name]: value }));
      return violations.some((violation) => violation.startsWith('body'));
    }),
    propertyParameters(50),
  );
  t.not((await responseViolations(request, responseOf(200, { ...user, role: 'admin' }))).length, 0);
});

test('a success with another status than the declared one, and a page in place of one record, are violations', async (t) => {
  t.deepEqual(await responseViolations(request, responseOf(201, user)), ['status 201, not 200']);
  t.not((await responseViolations(request, responseOf(200, [user]))).length, 0);
});
