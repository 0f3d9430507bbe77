import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Operation, operations } from '../../api/index.js';
import { hostileTexts } from '../../arbitraries/texts.js';
import type { Case } from '../../case.js';
import { propertyParameters } from '../../property-settings.js';
import { exampleRequests, fillPath } from '../example-requests.js';
import { organizationFixture } from '../fixture.js';
import { type ServiceHarness, withService } from '../service.js';

/** Every operation except the one that would revoke the token of the case. */
const reachable = operations.filter(({ id }) => id !== 'accessToken.revoke');

const hostile = fc.oneof(
  fc.constantFrom(
    ...hostileTexts,
    '\0',
    'a\0b',
    '..',
    '%',
    '/',
    '1',
    '-1',
    'true',
    '2026-01-01',
    '1e400',
    '9'.repeat(30),
  ),
  fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.toWellFormed()),
);
const json = fc.oneof(fc.jsonValue({ maxDepth: 3 }), hostile, fc.double(), fc.constant(null));

const queryOf = (operation: Operation): fc.Arbitrary<string> => {
  const names = [...Object.keys(operation.query ?? {}), 'page', 'per_page', 'unknown'];
  const pair = fc
    .tuple(fc.constantFrom(...names), fc.constantFrom('', '[]', '[a]', '[%00]'), hostile)
    .map(([name, key, value]) => `${name}${key}=${encodeURIComponent(value)}`);
  return fc.array(pair, { maxLength: 3 }).map((pairs) => (pairs.length === 0 ? '' : `?${pairs.join('&')}`));
};

/** Partly valid bodies: an example in which some documented properties have generated values. */
function bodyOf(operation: Operation, example: object | undefined): fc.Arbitrary<string | undefined> {
  if (operation.form !== 'command') return fc.constant(undefined);
  const names = Object.keys(operation.body?.properties ?? { unknown: {} });
  const changes = fc.dictionary(fc.constantFrom(...names), json, { maxKeys: 2, noNullPrototype: true });
  return fc.oneof(
    { weight: 6, arbitrary: changes.map((changed) => JSON.stringify({ ...example, ...changed })) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string() },
  );
}

/** `send` checks every response against its schema, and that its status is not 500. */
const never500: Case<ServiceHarness> = {
  id: 'requests.never-500',
  cites: 'decisions 1',
  run: (harness) =>
    withService(harness, organizationFixture('acme'), async (service) => {
      const byId = new Map((await exampleRequests(service)).map((example) => [example.operation.id, example]));
      const request = fc.constantFrom(...reachable.map(({ id }) => id)).chain((id) => {
        const { operation, pathParams, body } = byId.get(id) as NonNullable<ReturnType<typeof byId.get>>;
        const spoilt = fc.dictionary(fc.constantFrom(...Object.keys(pathParams)), hostile, { maxKeys: 1 });
        return fc.record({
          method: fc.constant(operation.method),
          target: fc
            .tuple(spoilt, queryOf(operation))
            .map(([changed, query]) => fillPath(operation.path, { ...pathParams, ...changed }) + query),
          body: bodyOf(operation, body),
        });
      });
      await fc.assert(
        fc.asyncProperty(request, async ({ method, target, body }) => {
          const { status } = await service.send(method, target, body === undefined ? {} : { body });
          assert.ok(status < 500);
        }),
        propertyParameters(500),
      );
    }),
};

export const fuzzing: readonly Case<ServiceHarness>[] = [never500];
