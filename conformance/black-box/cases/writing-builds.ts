import assert from 'node:assert/strict';
import type { Shown } from '../asking.js';
import { type BlackBoxCase, blackBoxCase, building } from '../case.js';
import { at } from '../making.js';
import type { RunningService } from '../running.js';

const needs = [building, 'the scope read_builds', 'the scope write_builds'];
const finished = "Build can't be canceled because it's already finished.";

const listOf = (service: RunningService): string =>
  `${at(service)}/pipelines/${encodeURIComponent(service.pipeline ?? '')}/builds`;

/** Makes a build on a branch of its own, so that no other build is skipped or canceled for it; it cannot be deleted. */
async function build(service: RunningService, changes: object = {}): Promise<Shown> {
  const body = { commit: 'HEAD', branch: service.name(), ignore_pipeline_branch_filters: true, ...changes };
  const answer = await service.send('POST', listOf(service), { body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

/** Cancels a build, so that no agent has to run it. */
const cancel = (service: RunningService, { number }: Shown) =>
  service.send('PUT', `${listOf(service)}/${number}/cancel`);

const created = blackBoxCase('builds', ['spec 2.4', 'spec 4.2', 'decisions 7'], needs, async (service) => {
  const given = {
    message: 'Café "quoted" \u{1f600}',
    branch: service.name(),
    env: { A: '1', 'with space': "it's" },
    meta_data: { [service.name()]: 'x' },
  };
  const made = await build(service, given);
  try {
    assert.deepEqual({ ...made, ...given }, made);
    assert.equal(made.source, 'api');
    const shown = await service.send('GET', `${listOf(service)}/${made.number}`);
    assert.deepEqual([shown.status, shown.body.id, shown.body.number], [200, made.id, made.number]);
    const [key = ''] = Object.keys(given.meta_data);
    for (const query of [`branch=${given.branch}`, `meta_data[${key}]=x`]) {
      const { body } = await service.send('GET', `${listOf(service)}?${query}`);
      assert.deepEqual(
        body.map(({ id }: Shown) => id),
        [made.id],
        query,
      );
    }
  } finally {
    await cancel(service, made);
  }
});

const canceled = blackBoxCase(
  'builds.cancel-and-rebuild',
  ['spec 3.1', 'spec 7', 'decisions 7'],
  needs,
  async (service) => {
    const made = await build(service, { message: 'Once' });
    const answer = await cancel(service, made);
    assert.equal(answer.status, 200, answer.text);
    assert.ok(['canceled', 'canceling'].includes(answer.body.state), answer.body.state);
    const again = await cancel(service, made);
    assert.equal(again.status, 422);
    if (answer.body.state === 'canceled') assert.deepEqual(again.body, { message: finished });
    const rebuilt = await service.send('PUT', `${listOf(service)}/${made.number}/rebuild`);
    assert.equal(rebuilt.status, 200, rebuilt.text);
    try {
      const { branch, commit, message, rebuilt_from: from, number } = rebuilt.body;
      assert.deepEqual(
        { branch, commit, message },
        { branch: made.branch, commit: made.commit, message: made.message },
      );
      assert.deepEqual({ id: from?.id, number: from?.number }, { id: made.id, number: made.number });
      assert.ok(number > made.number, 'numbers rise');
    } finally {
      await cancel(service, rebuilt.body);
    }
  },
);

const refused = blackBoxCase('builds.validation', ['spec 7', 'decisions 7'], needs, async (service) => {
  const wrong: readonly (readonly [body: object, errors: readonly object[]])[] = [
    [{}, ['commit', 'branch'].map((field) => ({ field, code: 'missing' }))],
    [{ commit: 'HEAD', branch: 'x'.repeat(256) }, [{ field: 'branch', code: 'too_long' }]],
  ];
  for (const [body, errors] of wrong) {
    const answer = await service.send('POST', listOf(service), { body });
    if (answer.status === 201) await cancel(service, answer.body);
    assert.deepEqual([answer.status, answer.body], [422, { message: 'Validation Failed', errors }]);
  }
});

const numbers = blackBoxCase('builds.numbers-at-once', ['spec 2.4', 'decisions 7'], needs, async (service) => {
  const made = await Promise.all(Array.from({ length: 10 }, () => build(service)));
  try {
    assert.equal(new Set(made.map(({ number }) => number)).size, made.length, 'no number twice');
    const next = await build(service);
    made.push(next);
    assert.ok(
      made.slice(0, -1).every(({ number }) => number < next.number),
      'numbers rise',
    );
  } finally {
    for (const one of made) await cancel(service, one);
  }
});

export const writingBuilds: readonly BlackBoxCase[] = [created, canceled, refused, numbers];
