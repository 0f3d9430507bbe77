import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { type Report, runSuite, storageLevel } from '../runner/index.js';
import { seed } from '../settings.js';
import { onLogs, restartingFaults } from './broken-restarting.js';

/** Runs some of the storage cases on logs with that fault. */
async function reportOn(t: ExecutionContext, fault: string, only: (id: string) => boolean): Promise<Report> {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-logged-'));
  t.teardown(() => rm(directory, { recursive: true }));
  let made = 0;
  const level = storageLevel(onLogs(fault, () => join(directory, `${++made}.log`)));
  return runSuite({ levels: [level], seed, only });
}

const isRestart = (id: string): boolean => id.startsWith('storage.restart.');

test.serial('what the faults are changes of passes all there is', async (t) => {
  const { results } = await reportOn(t, '', () => true);
  const wrong = results.filter(({ status }) => status !== 'Pass');
  t.deepEqual(
    wrong.map(({ id, reason }) => [id, reason]),
    [['storage.restart.others-go-on', 'needs shared, which is not claimed']],
  );
});

for (const fault of Object.keys(restartingFaults)) {
  test.serial(`a storage that ${fault}: killed, it is found out, and otherwise it is not`, async (t) => {
    const killed = await reportOn(t, fault, isRestart);
    t.is(killed.results[0]?.status, 'Fail');
    t.log(killed.results[0]?.fault?.message);
    const others = await reportOn(t, fault, (id) => /^storage\.(claims|commit\.(replace|none|unique))/.test(id));
    t.true(others.results.every(({ status }) => status === 'Pass'));
  });
}

test.serial('a module that cannot be loaded by another process is an error, and no failure', async (t) => {
  const good = onLogs('', () => join(tmpdir(), 'millrace-never-written.log'));
  const elsewhere = { module: 'file:///nowhere.mjs', placeOf: () => 'x' };
  const levels = [storageLevel({ ...good, elsewhere })];
  const { results } = await runSuite({ levels, seed, only: isRestart });
  t.like(results[0], { status: 'Error' });
  t.regex(results[0]?.fault?.message ?? '', /^The process that was to write ended with 1: .*nowhere\.mjs/s);
  await rm(join(tmpdir(), 'millrace-never-written.log'), { force: true });
});
