import test from 'ava';
import fc from 'fast-check';
import { manualClock } from '../../adapters/fake/manual-clock.js';
import { seededIds } from '../../adapters/fake/seeded-ids.js';
import { memoryStorage } from '../../adapters/memory/index.js';
import { scaledRuns, seed } from '../../conformance/property-settings.js';
import { errors, isApiError } from '../errors/index.js';
import type { Batch, Committed, NewEvent } from '../ports/index.js';
import { batch } from './batch.js';
import type { Command } from './command.js';
import { type CommandRuntime, execute } from './execute.js';

const event: NewEvent = { type: 'a.b', organization_id: 'o', at: '2026-01-01T00:00:00.000Z', data: {} };
const change = batch({ touch: [{ entity: 'build', id: 'b' }], events: [event] });
const taken = errors.clusterNameTaken();

/** A command over a storage whose commits come out as scripted, with a record of what was done. */
function scriptedCommand(outcomes: readonly Committed[], made: Batch = change) {
  const log: string[] = [];
  const sleeps: number[] = [];
  const attempts: number[] = [];
  const left = [...outcomes];
  const storage = {
    ...memoryStorage(),
    async commit() {
      log.push('commit');
      return left.shift() ?? { done: true as const };
    },
  };
  const clock = { ...manualClock(), sleep: async (milliseconds: number) => void sleeps.push(milliseconds) };
  const runtime: CommandRuntime = {
    storage,
    uncachedStorage: storage,
    clock,
    ids: seededIds(1),
    rules: { cancellation: 'immediate', agentTimeout: 180_000 },
    context: { reader: storage } as never,
    onCommitted: () => log.push('committed'),
  };
  const command: Command<string, number, string, string> = {
    async load({ records, input, attempt }) {
      attempts.push(attempt);
      log.push('load');
      return `${records}${input}`;
    },
    ids: () => 2,
    decide: (loaded, { ids }) => ({ batch: made, reply: `${loaded}:${ids.length}` }),
    duplicates: { 'cluster.name': () => taken },
  };
  const executeCommand = (changed: Partial<typeof command> = {}) =>
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
      runtime,
    );
  return { log, sleeps, attempts, carryOut: executeCommand };
}

const conflict: Committed = { conflict: { entity: 'build', id: 'b' } };

test('without a conflict, a command is located, loaded, decided and committed once', async (t) => {
  const { log, sleeps, carryOut: executeCommand } = scriptedCommand([]);
  t.is(await executeCommand(), 'at7:2');
  t.deepEqual(log, ['locate', 'load', 'commit', 'committed']);
  t.deepEqual(sleeps, []);
});

test('after conflicts all of it starts again from fresh rows, with pauses; after ten it is given up with 409', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.nat(15), async (conflicts) => {
      const {
        log,
        sleeps,
        attempts,
        carryOut: executeCommand,
      } = scriptedCommand(Array.from({ length: conflicts }, () => conflict));
      const reply = await executeCommand();
      const tries = Math.min(conflicts + 1, 10);
      t.deepEqual(
        attempts,
        Array.from({ length: tries }, (_, index) => index),
      );
      t.is(log.filter((entry) => entry === 'locate').length, tries);
      t.is(sleeps.length, tries - 1);
      t.true(sleeps.every((pause, index) => pause >= 0 && pause < 2 ** (index + 1)));
      t.is(log.includes('committed'), conflicts < 10);
      if (conflicts < 10) t.is(reply, 'at7:2');
      else t.is(isApiError(reply) && reply.output.statusCode, 409);
    }),
    { seed, numRuns: scaledRuns(30) },
  );
});

test('a broken unique key is told as the command says; one that it does not speak of is decided again', async (t) => {
  const { carryOut: executeCommand, log } = scriptedCommand([{ duplicate: { entity: 'cluster', key: 'name' } }]);
  t.is(await executeCommand(), taken);
  t.false(log.includes('committed'));
  const other = scriptedCommand([{ duplicate: { entity: 'build', key: 'number' } }]);
  t.is(await other.carryOut(), 'at7:2');
  t.deepEqual(other.attempts, [0, 1]);
});

test('a refusal at any step ends it before anything is committed', async (t) => {
  const refusal = errors.queuePaused();
  for (const changed of [{ load: async () => refusal }, { decide: () => refusal }]) {
    const { carryOut: executeCommand, log } = scriptedCommand([]);
    t.is(await executeCommand(changed), refusal);
    t.false(log.includes('commit'));
  }
});

test('a decision that changes nothing is not committed; listeners are told of events only', async (t) => {
  const still = scriptedCommand([], batch({}));
  t.is(await still.carryOut(), 'at7:2');
  t.deepEqual(still.log, ['locate', 'load']);
  const silent = scriptedCommand([], batch({ touch: change.touch }));
  await silent.carryOut();
  t.deepEqual(silent.log, ['locate', 'load', 'commit']);
});
