import test from 'ava';
import fc from 'fast-check';
import { seededIds } from '../adapters/fake/seeded-ids.js';
import { stillClock } from '../adapters/fake/still-clock.js';
import { memoryStorage } from '../adapters/memory/index.js';
import { runs, seed } from '../conformance/settings.js';
import { batch } from './contract/batch.js';
import type { Command } from './contract/operation.js';
import { Refusal, unprocessable } from './contract/refusal.js';
import { execute, type Shell } from './execute.js';
import type { Batch, Committed, NewEvent } from './ports/index.js';

const event: NewEvent = { type: 'a.b', organization_id: 'o', at: '2026-01-01T00:00:00.000Z', data: {} };
const change = batch({ touch: [{ entity: 'build', id: 'b' }], events: [event] });
const taken = unprocessable('Validation failed: Name has already been taken');

/** A command over a storage whose commits come out as scripted, with a record of what was done. */
function scene(outcomes: readonly Committed[], made: Batch = change) {
  const log: string[] = [];
  const pauses: number[] = [];
  const attempts: number[] = [];
  const left = [...outcomes];
  const storage = {
    ...memoryStorage(),
    async commit() {
      log.push('commit');
      return left.shift() ?? { done: true as const };
    },
  };
  const clock = { ...stillClock(), pause: async (milliseconds: number) => void pauses.push(milliseconds) };
  const shell: Shell = {
    storage,
    fresh: storage,
    clock,
    ids: seededIds(1),
    rules: { cancellation: 'immediate', agentsLostAfter: 180 },
    surroundings: { reader: storage } as never,
    committed: () => log.push('committed'),
  };
  const command: Command<string, number, string, string> = {
    async load({ at, input, attempt }) {
      attempts.push(attempt);
      log.push('load');
      return `${at}${input}`;
    },
    ids: () => 2,
    decide: (loaded, { ids }) => ({ batch: made, reply: `${loaded}:${ids.length}` }),
    duplicates: { 'cluster.name': taken },
  };
  const carryOut = (changed: Partial<typeof command> = {}) =>
    execute(
      { ...command, ...changed },
      {
        input: 7,
        query: {},
        caller: null,
        locate: async () => {
          log.push('locate');
          return 'at';
        },
      },
      shell,
    );
  return { log, pauses, attempts, carryOut };
}

const conflict: Committed = { conflict: { entity: 'build', id: 'b' } };

test('a command is located, loaded, decided and committed once if nobody is in its way', async (t) => {
  const { log, pauses, carryOut } = scene([]);
  t.is(await carryOut(), 'at7:2');
  t.deepEqual(log, ['locate', 'load', 'commit', 'committed']);
  t.deepEqual(pauses, []);
});

test('after conflicts all of it starts again from fresh rows, with pauses; after ten it is given up with 409', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.nat(15), async (conflicts) => {
      const { log, pauses, attempts, carryOut } = scene(Array.from({ length: conflicts }, () => conflict));
      const reply = await carryOut();
      const tries = Math.min(conflicts + 1, 10);
      t.deepEqual(
        attempts,
        Array.from({ length: tries }, (_, index) => index),
      );
      t.is(log.filter((entry) => entry === 'locate').length, tries);
      t.is(pauses.length, tries - 1);
      t.true(pauses.every((pause, index) => pause >= 0 && pause < 2 ** (index + 1)));
      t.is(log.includes('committed'), conflicts < 10);
      if (conflicts < 10) t.is(reply, 'at7:2');
      else t.is(reply instanceof Refusal && reply.status, 409);
    }),
    { seed, numRuns: runs(30) },
  );
});

test('a broken unique key is told as the command says; one that it does not speak of is decided again', async (t) => {
  const { carryOut, log } = scene([{ duplicate: { entity: 'cluster', key: 'name' } }]);
  t.is(await carryOut(), taken);
  t.false(log.includes('committed'));
  const other = scene([{ duplicate: { entity: 'build', key: 'number' } }]);
  t.is(await other.carryOut(), 'at7:2');
  t.deepEqual(other.attempts, [0, 1]);
});

test('a refusal at any step ends it before anything is committed', async (t) => {
  const refusal = unprocessable('no');
  for (const changed of [{ load: async () => refusal }, { decide: () => refusal }]) {
    const { carryOut, log } = scene([]);
    t.is(await carryOut(changed), refusal);
    t.false(log.includes('commit'));
  }
});

test('a decision that changes nothing is not committed; listeners are told of events only', async (t) => {
  const still = scene([], batch({}));
  t.is(await still.carryOut(), 'at7:2');
  t.deepEqual(still.log, ['locate', 'load']);
  const silent = scene([], batch({ touch: change.touch }));
  await silent.carryOut();
  t.deepEqual(silent.log, ['locate', 'load', 'commit']);
});
