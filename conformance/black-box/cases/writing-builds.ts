import assert from 'node:assert/strict';
import { type BlackBoxCase, blackBoxCase, buildAccess } from '../case.js';
import type { RenderedRecord } from '../read-operations.js';
import type { RunningService } from '../running-service.js';
import { organizationPath } from '../write-operations.js';

const needs = [buildAccess, 'the scope read_builds', 'the scope write_builds'];
const finished = "Build can't be canceled because it's already finished.";

const listOf = (service: RunningService): string =>
  `${organizationPath(service)}/pipelines/${encodeURIComponent(service.pipeline ?? '')}/builds`;

/** Creates a build on its own branch, so that it does not skip or cancel other builds. Builds cannot be deleted. */
async function build(service: RunningService, changes: object = {}): Promise<RenderedRecord> {
  const body = { commit: 'HEAD', branch: service.uniqueName(), ignore_pipeline_branch_filters: true, ...changes };
  const response = await service.send('POST', listOf(service), { body });
  assert.equal(response.status, 201, response.text);
  return response.body;
}

/** Cancels a build, so that no agent has to run it. */
const cancel = (service: RunningService, { number }: RenderedRecord) =>
  service.send('PUT', `${listOf(service)}/${number}/cancel`);

const createBuild = blackBoxCase('builds', ['spec 2.4', 'spec 4.2', 'decisions 7'], needs, async (service) => {
  const input = {
    message: 'Café "quoted" \u{1f600}',
    branch: service.uniqueName(),
    env: { A: '1', 'with space': "it's" },
    meta_data: { [service.uniqueName()]: 'x' },
  };
  const created = await build(service, input);
  try {
    assert.deepEqual({ ...created, ...input }, created);
    assert.equal(created.source, 'api');
    const rendered = await service.send('GET', `${listOf(service)}/${created.number}`);
    assert.deepEqual([rendered.status, rendered.body.id, rendered.body.number], [200, created.id, created.number]);
    const [key = ''] = Object.keys(input.meta_data);
    for (const query of [`branch=${input.branch}`, `meta_data[${key}]=x`]) {
      const { body } = await service.send('GET', `${listOf(service)}?${query}`);
      assert.deepEqual(
        body.map(({ id }: RenderedRecord) => id),
        [created.id],
        query,
      );
    }
  } finally {
    await cancel(service, created);
  }
});

const canceled = blackBoxCase(
  'builds.cancel-and-rebuild',
  ['spec 3.1', 'spec 7', 'decisions 7'],
  needs,
  async (service) => {
    const created = await build(service, { message: 'Once' });
    const response = await cancel(service, created);
    assert.equal(response.status, 200, response.text);
    assert.ok(['canceled', 'canceling'].includes(response.body.state), response.body.state);
    const again = await cancel(service, created);
    assert.equal(again.status, 422);
    if (response.body.state === 'canceled') assert.deepEqual(again.body, { message: finished });
    const rebuilt = await service.send('PUT', `${listOf(service)}/${created.number}/rebuild`);
    assert.equal(rebuilt.status, 200, rebuilt.text);
    try {
      const { branch, commit, message, rebuilt_from: from, number } = rebuilt.body;
      assert.deepEqual(
        { branch, commit, message },
        { branch: created.branch, commit: created.commit, message: created.message },
      );
      assert.deepEqual({ id: from?.id, number: from?.number }, { id: created.id, number: created.number });
      assert.ok(number > created.number, 'build numbers increase');
    } finally {
      await cancel(service, rebuilt.body);
    }
  },
);

const refused = blackBoxCase('builds.validation', ['spec 7', 'decisions 7'], needs, async (service) => {
  const invalidBodies: readonly (readonly [body: object, errors: readonly object[]])[] = [
    [{}, ['commit', 'branch'].map((field) => ({ field, code: 'missing' }))],
    [{ commit: 'HEAD', branch: 'x'.repeat(256) }, [{ field: 'branch', code: 'too_long' }]],
  ];
  for (const [body, errors] of invalidBodies) {
    const response = await service.send('POST', listOf(service), { body });
    if (response.status === 201) await cancel(service, response.body);
    assert.deepEqual([response.status, response.body], [422, { message: 'Validation Failed', errors }]);
  }
});

const numbers = blackBoxCase('builds.numbers-at-once', ['spec 2.4', 'decisions 7'], needs, async (service) => {
  const created = await Promise.all(Array.from({ length: 10 }, () => build(service)));
  try {
    assert.equal(new Set(created.map(({ number }) => number)).size, created.length, 'no number is assigned twice');
    const next = await build(service);
    created.push(next);
    assert.ok(
      created.slice(0, -1).every(({ number }) => number < next.number),
      'build numbers increase',
    );
  } finally {
    for (const one of created) await cancel(service, one);
  }
});

export const writingBuilds: readonly BlackBoxCase[] = [createBuild, canceled, refused, numbers];
