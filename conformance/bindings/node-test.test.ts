import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';

const binding = new URL('./node-test.js', import.meta.url).href;

const file = `
import test from 'node:test';
import { testAll } from ${JSON.stringify(binding)};
const open = async () => ({ harness: { sum: 3 }, close: async () => console.log('closed one') });
const one = (id, wanted, needs) => ({ id, cites: '', needs, run: async ({ sum }) => {
  if (sum !== wanted) throw new Error('sum is ' + sum);
} });
testAll(test, [one('sums.right', 3, ['sums']), one('sums.wrong', 4), one('sums.odd', 5, ['odds'])], open, ['sums']);
`;

test('each case is a test of node:test, and its harness is closed after a failure too', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'millrace-node-test-'));
  t.teardown(() => rm(directory, { recursive: true }));
  const path = join(directory, 'sums.mjs');
  await writeFile(path, file);
  const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) => {
    execFile(process.execPath, ['--test', '--test-reporter=tap', path], (error, stdout) =>
      resolve({ code: error?.code ?? 0, output: stdout }),
    );
  });
  t.is(code, 1);
  t.regex(output, /^\s*ok 1 - sums\.right$/m);
  t.regex(output, /^\s*not ok 2 - sums\.wrong$/m);
  t.regex(output, /^\s*ok 3 - sums\.odd # SKIP needs odds, which is not declared$/m);
  t.regex(output, /sum is 3/);
  t.is(output.match(/closed one/g)?.length, 2);
});
