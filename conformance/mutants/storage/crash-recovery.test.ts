import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { seed } from '../../property-settings.js';
import { type Report, runSuite, storageLevel } from '../../runner/index.js';
import { crashMutants, onJournals } from './crash-recovery.js';

/** Runs selected storage cases on journaled storages with the named fault. */
async function runOnJournal(t: ExecutionContext, mutantName: string, only: (id: string) => boolean): Promise<Report> {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-logged-'));
  t.teardown(() => rm(directory, { recursive: true }));
  let count = 0;
  const level = storageLevel(onJournals(mutantName, () => join(directory, `${++count}.log`)));
  return runSuite({ levels: [level], seed, only });
}

const isRestart = (id: string): boolean => id.startsWith('storage.restart.');

test.serial('the journaled storage without a fault passes every case', async (t) => {
  const { results } = await runOnJournal(t, '', () => true);
  const wrong = results.filter(({ status }) => status !== 'Pass');
  t.deepEqual(
    wrong.map(({ id, reason }) => [id, reason]),
    [['storage.restart.others-go-on', 'needs shared, which is not declared']],
  );
});

for (const mutantName of Object.keys(crashMutants)) {
  test.serial(`a storage that ${mutantName}: only the case that kills its process fails`, async (t) => {
    const killed = await runOnJournal(t, mutantName, isRestart);
    t.is(killed.results[0]?.status, 'Fail');
    t.log(killed.results[0]?.fault?.message);
    const others = await runOnJournal(t, mutantName, (id) =>
      /^storage\.(capabilities|commit\.(replace|none|unique))/.test(id),
    );
    t.true(others.results.every(({ status }) => status === 'Pass'));
  });
}

test.serial('a module that the other process cannot load is an error, not a failure', async (t) => {
  const good = onJournals('', () => join(tmpdir(), 'millrace-never-written.log'));
  const otherProcess = { module: 'file:///nowhere.mjs', locationOf: () => 'x' };
  const levels = [storageLevel({ ...good, otherProcess })];
  const { results } = await runSuite({ levels, seed, only: isRestart });
  t.like(results[0], { status: 'Error' });
  t.regex(results[0]?.fault?.message ?? '', /^The writer process failed to start: it ended with 1: .*nowhere\.mjs/s);
  await rm(join(tmpdir(), 'millrace-never-written.log'), { force: true });
});
