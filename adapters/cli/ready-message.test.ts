import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import test from 'ava';
import { mainFile, temporaryDirectory } from '../../test/support/cli-process.js';
import { exampleRequests } from './ready-message.js';

const bash = async (line: string): Promise<string> => (await promisify(execFile)('bash', ['-c', line])).stdout;

test('the requests that are printed work when they are pasted', async (t) => {
  const cwd = await temporaryDirectory(t);
  const args = [mainFile, 'serve', '--port', '0', '--no-simulate'];
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  t.teardown(() => child.kill('SIGKILL'));
  let text = '';
  for await (const part of child.stdout) {
    text += part;
    if (text.includes('Ctrl-C')) break;
  }
  t.regex(text, /Millrace serves acme at http:\/\/127\.0\.0\.1:\d+ \(kept in millrace\.db\)/);
  t.regex(text, /Token {2}mra_\w+\n/);
  const lines = text.split('\n').filter((line) => line.trim().startsWith('curl '));
  t.is(lines.length, 3);
  if (spawnSync('curl', ['--version']).error) {
    t.log('There is no curl on this machine: the requests were not tried');
  } else {
    const [failed, made, newest] = await runSequentially(lines.map((line) => () => bash(line).then(JSON.parse)));
    t.true(failed.length > 0 && failed.every(({ state }: { state: string }) => state === 'failed'));
    t.like(made, { state: 'scheduled', branch: 'main', message: 'Hello, Millrace' });
    t.is(newest[0].number, made.number);
  }
  child.kill('SIGINT');
  t.deepEqual(await once(child, 'close'), [0, null]);
});

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at field by field
async function runSequentially(works: readonly (() => Promise<any>)[]): Promise<any[]> {
  const results = [];
  for (const work of works) results.push(await work());
  return results;
}

test('without a pipeline there are requests as well, and quotes do not end early', (t) => {
  const ready = { url: 'http://h', token: "it's", organization: 'o', suite: null, suite_id: null, team_id: null };
  const lines = exampleRequests({ ...ready, pipeline: null });
  t.is(lines.length, 3);
  t.true(lines.every((line) => line.includes(`'Authorization: Bearer it'\\''s'`)));
});
