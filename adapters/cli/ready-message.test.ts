import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import test from 'ava';
import { mainFile, temporaryDirectory } from '../../test/support/cli-process.js';
import { exampleRequests } from './ready-message.js';

const bash = async (line: string): Promise<string> => (await promisify(execFile)('bash', ['-c', line])).stdout;

test('the printed requests work in a shell', async (t) => {
  const cwd = await temporaryDirectory(t);
  const args = [mainFile, 'serve', '--port', '0', '--no-simulate'];
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  t.teardown(() => child.kill('SIGKILL'));
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    if (text.includes('Ctrl-C')) break;
  }
  t.regex(text, /Millrace serves acme at http:\/\/127\.0\.0\.1:\d+ \(stored in millrace\.db\)/);
  t.regex(text, /Token {2}mra_\w+\n/);
  const lines = text.split('\n').filter((line) => line.trim().startsWith('curl '));
  t.is(lines.length, 3);
  if (spawnSync('curl', ['--version']).error) {
    t.log('curl is not installed: the requests were not run');
  } else {
    const [failed, created, newest] = await runSequentially(lines.map((line) => () => bash(line).then(JSON.parse)));
    t.true(failed.length > 0 && failed.every(({ state }: { state: string }) => state === 'failed'));
    t.like(created, { state: 'scheduled', branch: 'main', message: 'Hello, Millrace' });
    t.is(newest[0].number, created.number);
  }
  child.kill('SIGINT');
  t.deepEqual(await once(child, 'close'), [0, null]);
});

// biome-ignore lint/suspicious/noExplicitAny: tests read bodies field by field
async function runSequentially(tasks: readonly (() => Promise<any>)[]): Promise<any[]> {
  const results = [];
  for (const task of tasks) results.push(await task());
  return results;
}

test('there are requests without a pipeline too, and quotes are escaped', (t) => {
  const ready = { url: 'http://h', token: "it's", organization: 'o', suite: null, suite_id: null, team_id: null };
  const lines = exampleRequests({ ...ready, pipeline: null });
  t.is(lines.length, 3);
  t.true(lines.every((line) => line.includes(`'Authorization: Bearer it'\\''s'`)));
});
